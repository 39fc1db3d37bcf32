// Concept decomposition search as one of the searches of the native planner.
#pragma once

#include <memory>

#include "analysis/subgames.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

// Returns null if the game cannot be searched by parts. The space and the record must outlive it.
std::unique_ptr<PlanSearch> make_factored_search(const PlanSpace& space, PlanRecord& record,
                                                 const analysis::Decomposition& subgames);

}  // namespace zermelo::search::planner
