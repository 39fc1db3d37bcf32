// A picture of a stored solution: states and nodes by layer, coloured by value.
#pragma once

#include <string>

#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

// Returns SVG. The height of a bar is the logarithm of the number of states, divided in proportion
// to the values. A line shows the logarithm of the nodes of the layer's diagram of values.
std::string plot(const Description& description, const Manifest& manifest);

}  // namespace zermelo::solve
