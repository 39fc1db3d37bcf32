// A task as text in the format that Fast Downward's translator writes (output.sas, version 3).
#pragma once

#include <string>

#include "translate/sas/task.h"

namespace zermelo::translate::sas {

std::string to_sas(const Task& task);

// The same task without conditions that a variable does not have a value: a variable of more than
// two values gets a companion of two values for each value that is denied somewhere.
Task with_positive_conditions(const Task& task);

}  // namespace zermelo::translate::sas
