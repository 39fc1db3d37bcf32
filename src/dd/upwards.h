// The rows of a diagram from the bottom up: what a node is, by what its children are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "dd/diagram.h"
#include "dd/team.h"

namespace zermelo::dd {

// Calls row(level, id, children) for every node after all that lie deeper. With several threads,
// those of a level are called in any order.
template <class Row>
void for_each_row_upwards(const Diagram& diagram, unsigned threads, Row row) {
  constexpr std::size_t block = 1 << 12;
  Team team(diagram.ids() < 8 * block ? 1 : threads);
  for (std::size_t l = diagram.variables(); l-- > 0;) {
    const Diagram::Level& level = diagram.level(l);
    const std::size_t rows = diagram.nodes_at(l), width = diagram.domains()[l];
    team.run((rows + block - 1) / block, [&](unsigned, std::size_t task) {
      const std::size_t end = std::min(rows, (task + 1) * block);
      for (std::size_t i = task * block; i < end; ++i) {
        row(l, level.base + static_cast<NodeId>(i), level.children.data() + i * width);
      }
    });
    diagram.release(l);
  }
}

}  // namespace zermelo::dd
