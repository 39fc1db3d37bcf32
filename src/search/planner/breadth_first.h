// Every reachable state, breadth first: proves what is possible where the states are few enough.
#pragma once

#include <memory>

#include "base/result.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

// A search that exhausts the game if it gets enough time and memory, and so proves its best line.
// Fails at a limit. The arguments must outlive it.
base::Result<std::unique_ptr<PlanSearch>> make_breadth_first(const PlanSpace& space,
                                                             PlanRecord& record,
                                                             const base::Limits& limits);

}  // namespace zermelo::search::planner
