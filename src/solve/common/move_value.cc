#include "solve/common/move_value.h"

#include <algorithm>

namespace zermelo::solve {
namespace {

eval::Worth worth(const MoveValue& move) {
  return {move.rewards, move.distance.value_or(eval::no_distance)};
}

bool is_better(OpponentModel model, const MoveValue& a, const MoveValue& b) {
  if (a.keeps_value != b.keeps_value) return a.keeps_value;
  if (a.rewards.empty() || b.rewards.empty()) return !a.rewards.empty() && b.rewards.empty();
  return prefers(model, a.role, worth(a), worth(b));
}

}  // namespace

void rank_moves(OpponentModel model, std::vector<MoveValue>& moves) {
  std::stable_sort(moves.begin(), moves.end(),
                   [&](const MoveValue& a, const MoveValue& b) { return is_better(model, a, b); });
  for (MoveValue& move : moves) {
    move.best = move.keeps_value && !is_better(model, moves.front(), move);
  }
}

}  // namespace zermelo::solve
