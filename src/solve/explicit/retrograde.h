// The value of every state of a game graph, from the terminal states backwards.
#pragma once

#include <vector>

#include "base/result.h"
#include "solve/explicit/game_graph.h"

namespace zermelo::solve {

struct GraphValues {
  std::vector<Outcome> values;  // by state; unknown_outcome where play never ends
  bool cyclic = false;          // whether a state can occur again
};

// By role: the place of each outcome in its order.
using Ranks = std::vector<std::vector<std::uint32_t>>;

// The roles whose interests settle a game in which states can occur again: both of two that are
// opposed, even if one never decides, as this settles what endless play is worth; else those that
// ever decide. Fails with not_applicable if these are neither one nor two that are opposed.
base::Result<std::vector<std::size_t>> contestants(const Ranks& ranks,
                                                   const std::vector<bool>& decides);

// Fails with not_applicable when states can occur again and those who decide are not one role or
// two with opposed interests, and with a limit that is reached.
base::Result<GraphValues> evaluate(const GameGraph& graph, OpponentModel model,
                                   const base::Limits& limits);

}  // namespace zermelo::solve
