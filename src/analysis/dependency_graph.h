// The graph whose components are the subgames: fluents, moves, effects and preconditions.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "analysis/subgames.h"

namespace zermelo::analysis {

struct DependencyGraph {
  struct Node {
    std::string name;
    bool is_move;
    std::uint32_t subgame;  // in the decomposition; their number for moves of no subgame
  };
  struct Edge {
    std::uint32_t from, to;  // a move and a fluent: an effect; a fluent and a move: a precondition
    auto operator<=>(const Edge&) const = default;
  };

  std::vector<Node> nodes;
  std::set<Edge> edges;
};

// Returns the graph at the grain of the decomposition, as in Figure 2 of "Factoring General Games".
// In a parallel composition a move is drawn in each of its subgames. Fails at a limit.
base::Result<DependencyGraph> dependency_graph(const circuit::CompiledGame& compiled,
                                               const Decomposition& found,
                                               const base::Limits& limits = {});

}  // namespace zermelo::analysis
