// A planning task as ground PDDL: propositions and actions without parameters, for any planner that
// takes conditional effects and derived predicates.
#pragma once

#include "translate/planning_text.h"
#include "translate/sas/task.h"

namespace zermelo::translate::pddl {

TaskText to_ground_pddl(const sas::Task& task);

}  // namespace zermelo::translate::pddl
