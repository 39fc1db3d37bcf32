// The best line of a game of one role, proved by decomposition search.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "base/limits.h"
#include "search/decomposition/concept_search.h"

namespace zermelo::search::decomposition {

struct FactoredPlan {
  FactoredLine line;
  std::size_t parts = 0;
  std::size_t part_states = 0;  // different ones that were computed
  double combinations = 1;      // of a state of every part
};

// Nothing if the game has no subgames that can be searched apart, if no line ends the game, if the
// subgames have too many states, and at a limit.
std::optional<FactoredPlan> find_factored_plan(
    const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits = {});

}  // namespace zermelo::search::decomposition
