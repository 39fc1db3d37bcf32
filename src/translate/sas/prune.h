// What planning does not need.
#pragma once

#include "translate/sas/task.h"

namespace zermelo::translate::sas {

// Removes variables that never change (their value is put into all conditions), variables that
// nothing asks for, and operators and axioms that are then without effect or never applicable.
void prune(Task& task);

}  // namespace zermelo::translate::sas
