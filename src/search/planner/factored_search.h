// Concept decomposition search as one of the searches of the native planner.
#pragma once

#include <memory>

#include "analysis/subgames.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

// The subgames of a game that decomposition search can use; nothing if there are none, and at a
// limit.
std::optional<analysis::Decomposition> find_factors(const machine::Machine& machine,
                                                    const base::Limits& limits);

// Returns null if the game cannot be searched by parts. The space and the record must outlive it.
std::unique_ptr<PlanSearch> make_factored_search(const PlanSpace& space, PlanRecord& record,
                                                 const analysis::Decomposition& factors);

}  // namespace zermelo::search::planner
