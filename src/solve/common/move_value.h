// The moves of a position with their values, ranked.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine/machine.h"
#include "solve/common/opponent_model.h"

namespace zermelo::solve {

struct MoveValue {
  std::size_t role = 0;
  machine::Move move = 0;
  Rewards rewards = {};  // with best play after the move; empty: play never ends
  std::optional<std::uint32_t> distance =
      {};                    // moves to the end after the move, if known and finite
  bool keeps_value = false;  // whether `rewards` is the value of the position
  // Whether it keeps the value and no other move does so better: the winner prefers a short game,
  // the loser a long one. Without distances, all moves that keep the value are best.
  bool best = false;
};

// Marks the best of moves of one role, and sorts the moves best first. Equal moves stay in order;
// moves after which play never ends come last unless they keep the value.
void rank_moves(OpponentModel model, std::vector<MoveValue>& moves);

}  // namespace zermelo::solve
