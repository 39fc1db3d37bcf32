// The best line of a game of one role, proved by searching its subgames or stages.
#pragma once

#include <optional>
#include <string>

#include "base/limits.h"
#include "search/decomposition/factoring.h"
#include "search/planner/plan_space.h"

namespace zermelo::search::planner {

struct FactoredPlan {
  Line line;
  std::string description;  // what the game consists of and how it was searched
};

// Returns nothing if the game has several roles, if it has neither subgames that can be searched
// apart nor stages, if no line ends the game, if a search takes too many states, and at a limit.
std::optional<FactoredPlan> find_factored_plan(decomposition::Factoring& factoring,
                                               const base::Limits& limits = {});

}  // namespace zermelo::search::planner
