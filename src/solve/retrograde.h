// The value of every state of a game graph, from the terminal states backwards.
#pragma once

#include <vector>

#include "base/result.h"
#include "solve/game_graph.h"

namespace zermelo::solve {

struct StateValues {
  std::vector<Outcome> values;  // by state; unknown_outcome where play never ends
  bool cyclic = false;          // whether a state can occur again
};

// Fails with not_applicable when states can occur again and those who decide are not one role or
// two with opposed interests, and with a limit that is reached.
base::Result<StateValues> evaluate(const GameGraph& graph, OpponentModel model,
                                   const base::Limits& limits);

}  // namespace zermelo::solve
