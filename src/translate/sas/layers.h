// The order in which axioms are evaluated.
#pragma once

#include "translate/sas/task.h"

namespace zermelo::translate::sas {

// Gives derived variables the lowest layers such that a variable's axioms read variables of the
// same or lower layers, and as false only those of lower ones. Requires that no variable depends on
// its own negation.
void assign_layers(Task& task);

}  // namespace zermelo::translate::sas
