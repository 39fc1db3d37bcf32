// The dependency graph of a game as a picture.
#pragma once

#include <string>

#include "analysis/dependency_graph.h"

namespace zermelo::app {

// Fluents on the left, moves on the right, a frame around each subgame. Arrows from moves to
// fluents are effects, arrows from fluents to moves are preconditions.
std::string dependencies_as_svg(const analysis::DependencyGraph& graph);
// The same for Graphviz.
std::string dependencies_as_dot(const analysis::DependencyGraph& graph);

}  // namespace zermelo::app
