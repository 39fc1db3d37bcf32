// A picture of a stored solution: states and nodes by layer, coloured by value.
#pragma once

#include <string>

#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

// SVG. Bars have the height of the logarithm of the number of states, divided as the values divide
// the states; a line shows the logarithm of the nodes of the layer's diagram of values.
std::string plot(const Description& description, const Manifest& manifest);

}  // namespace zermelo::solve
