// The value of every state of a game graph, from the terminal states backwards.
#pragma once

#include <vector>

#include "base/result.h"
#include "solve/explicit/game_graph.h"

namespace zermelo::solve {

struct GraphValues {
  std::vector<Outcome> values;  // by state; unknown_outcome if play never ends
  bool cyclic = false;          // whether states can repeat
};

// By role, the rank of each outcome in its order of preference.
using Ranks = std::vector<std::vector<std::uint32_t>>;

// The roles whose interests define values on cycles: both roles of a game with two opposed ones,
// even if one never decides, because this defines the value of endless play; otherwise those that
// ever decide. Fails with not_applicable if these are neither one role nor two opposed ones.
base::Result<std::vector<std::size_t>> contestants(const Ranks& ranks,
                                                   const std::vector<bool>& decides);

// Combines what each of two opposed roles can force into one value, where states can repeat.
class Settlement {
 public:
  Settlement(const std::vector<Rewards>& outcomes, OpponentModel model, std::size_t first,
             std::size_t second);

  // Each is an outcome that the role can force, or unknown_outcome.
  Outcome settle(Outcome first, Outcome second) const;
  // Of opposed roles, at most one outcome is even.
  bool is_even(Outcome outcome) const {
    return outcome != unknown_outcome && balance_[outcome] == 0;
  }

 private:
  std::vector<int> balance_;  // by outcome
};

// Fails with not_applicable if states can repeat and `contestants` fails, and with the limit that
// is reached.
base::Result<GraphValues> evaluate(const GameGraph& graph, OpponentModel model,
                                   const base::Limits& limits);

}  // namespace zermelo::solve
