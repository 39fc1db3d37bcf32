// A picture of a stored solution: states, nodes and values by layer.
#pragma once

#include <string>

#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

// Returns SVG of two panels: the number of states (bars) and of nodes of the diagrams of values (a
// line) on a logarithmic scale, and below the shares of the values in percent. `title` is the name
// of the game; it may be empty.
std::string plot(const Description& description, const Manifest& manifest,
                 const std::string& title);

}  // namespace zermelo::solve
