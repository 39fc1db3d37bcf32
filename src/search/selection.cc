// UCT (Kocsis and Szepesvari, 2006) with the sufficiency threshold of Gudmundsson and Bjornsson,
// "MCTS: Improved Action Selection Techniques for Deterministic Games" (GIGA 2011):
//
//   select the move that maximises Q(s, a) + C sqrt(ln N(s) / N(s, a))                 (1)
//   with 0 for C as long as any Q(s, a) > alpha                                        (2)
//
// In a deterministic game with few outcomes, it is not useful to compare two moves that both look
// won. It is better to find out whether one of them holds. A move without samples has an infinite
// bound, unless exploration is disabled: then only moves with an estimate are compared.
//
// Every role selects by its own statistics. So in a node where several roles decide at once, the
// joint move consists of each role's best move against the current behaviour of the others
// (decoupled UCT).
//
// A proved move needs no exploration: its exact value is compared with the bounds of the others. If
// it is the best, the playouts go to the best of the other moves, while the nodes above receive the
// proved value. Playouts in flight count as lost (virtual loss), so that the leaves of a batch and
// the threads spread out. Roles that decide at once would spread out in step, and a move would only
// be tried together with the same moves of the others. So each of them sees a random share of the
// playouts in flight, and sometimes moves at random.
//
// RAVE (Gelly and Silver, 2007): while samples are few, the estimate is mixed with one from all
// playouts in which the role made the move at any later time, with weight sqrt(k / (3 N(s, a) +
// k)). The paper uses N(s); with the move's own samples, rarely tried moves depend on RAVE for
// longer.
//
// The move to play is the "secure child" (Chaslot et al., 2008): the one with the highest lower
// bound, for the same C. If all good moves have many samples, that is the one with the best
// estimate. A move whose estimate is based on few samples is not trusted.
#include "search/selection.h"

#include <cmath>
#include <optional>

namespace zermelo::search {
namespace {

double reward(const Worth& worth, std::size_t role) { return worth.rewards[role] / 100.0; }

double rave_weight(const MoveStatistics& move, double equivalence) {
  return std::sqrt(equivalence / (3.0 * move.visits + equivalence));
}

}  // namespace

double spread(double exploration, double node_samples) {
  return exploration * std::sqrt(std::log(std::max(node_samples, 1.0)));
}

double upper_bound(double estimate, double spread, double samples) {
  return estimate + spread / std::sqrt(samples);
}

bool is_sufficient(std::span<const MoveStatistics> moves, const SelectionRule& rule) {
  if (!rule.sufficiency) return false;
  for (const MoveStatistics& move : moves) {
    if (move.visits > 0 && move.exact == nullptr && move.value > *rule.sufficiency) return true;
  }
  return false;
}

double estimate(const MoveStatistics& move, const SelectionRule& rule, double in_flight) {
  const double samples = move.visits + in_flight * move.in_flight;
  const double own = move.visits == 0 ? 0 : move.value * move.visits / samples;
  if (!rule.rave || move.rave_visits == 0) return own;
  const double weight = rave_weight(move, *rule.rave);
  return weight * static_cast<double>(move.rave_value) + (1 - weight) * own;
}

Selected select(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                const SelectionRule& rule, base::Random& random, double in_flight) {
  const bool explores = !is_sufficient(moves, rule);
  const double common = explores ? spread(rule.exploration, samples) : 0;
  double best = -1;
  Selected chosen;
  std::uint32_t untried = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const MoveStatistics& move = moves[i];
    const double tried = move.visits + in_flight * move.in_flight;
    if (move.exact != nullptr) {
      const bool is_first = chosen.known == nullptr;
      if (is_first || prefers(rule.model, role, *move.exact, *chosen.known)) {
        chosen.known = move.exact;
      }
    } else if (tried == 0) {
      if (explores && random.below(++untried) == 0) chosen.index = i;
    } else if (untried == 0) {
      const double score = upper_bound(estimate(move, rule, in_flight), common, tried);
      if (score <= best) continue;
      best = score;
      chosen.index = i;
    }
  }
  if (untried > 0 || (chosen.known != nullptr && reward(*chosen.known, role) <= best)) {
    chosen.known = nullptr;
  }
  return chosen;
}

Selected select_at_once(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                        const SelectionRule& rule, base::Random& random) {
  constexpr std::uint32_t one_at_random_of = 8, shares = 256;
  if (random.below(one_at_random_of) == 0) {
    return {random.below(static_cast<std::uint32_t>(moves.size())), nullptr};
  }
  const double in_flight = (1 + random.below(shares)) / static_cast<double>(shares);
  return select(moves, samples, role, rule, random, in_flight);
}

std::size_t select_final(std::span<const MoveStatistics> moves, double samples, std::size_t role,
                         const SelectionRule& rule) {
  const double common = spread(rule.exploration, samples);
  std::optional<std::size_t> proved, secure;
  double best_bound = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const MoveStatistics& move = moves[i];
    if (move.exact != nullptr) {
      if (!proved || prefers(rule.model, role, *move.exact, *moves[*proved].exact)) proved = i;
    } else if (move.visits > 0) {
      const double bound = upper_bound(move.value, -common, move.visits);
      if (!secure || bound > best_bound) {
        secure = i;
        best_bound = bound;
      }
    }
  }
  if (!secure) return proved.value_or(0);
  constexpr double rounding = 1e-6;  // error of the means, whose samples are floats
  const double known = proved ? reward(*moves[*proved].exact, role) : 0;
  return known > 0 && known + rounding >= moves[*secure].value ? *proved : *secure;
}

}  // namespace zermelo::search
