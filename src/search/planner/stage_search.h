// Exhaustive search of a serial composition as one of the searches of the native planner.
#pragma once

#include <memory>
#include <vector>

#include "analysis/serial_stages.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

// A breadth-first search in which states that differ only in what no longer matters of a finished
// stage count as one. It proves its best line if it exhausts the game. The space and the record
// must outlive it.
std::unique_ptr<PlanSearch> make_stage_search(const PlanSpace& space, PlanRecord& record,
                                              const std::vector<analysis::SerialStage>& stages);

}  // namespace zermelo::search::planner
