// A task as text in the format that Fast Downward's translator writes (output.sas, version 3).
#pragma once

#include <string>

#include "base/limits.h"
#include "translate/sas/task.h"

namespace zermelo::translate::sas {

// Throws base::LimitReached at a limit.
std::string to_sas(Task task, const base::Limits& limits = {});

// The same task without conditions that a variable does not have a value: a variable of more than
// two values gets a companion of two values for each value that is denied somewhere.
Task with_positive_conditions(Task task);

}  // namespace zermelo::translate::sas
