// The progress of a symbolic solver in words.
#pragma once

#include <string>

#include "solve/symbolic/symbolic_options.h"

namespace zermelo::app {

// "found layer 9, 1,234 states, 567 nodes", or with a forecast instead of the nodes if there is
// one.
std::string description_of(const solve::SymbolicProgress& progress);

}  // namespace zermelo::app
