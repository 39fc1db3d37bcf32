// Computes a value for each node of a diagram from those of its children, from the bottom up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "dd/diagram.h"
#include "dd/options.h"
#include "dd/stop.h"
#include "dd/team.h"

namespace zermelo::dd {

// Returns the value of each node by id, computed by row(level, children, values). `values` contains
// the values of all deeper nodes, initially those of the constants. With several threads, the rows
// of a level are computed in any order. The array takes memory only as it is filled, and limits are
// checked meanwhile. Throws std::bad_alloc, for within_memory to catch.
template <class T, class Row>
Passed<std::vector<T>> values_upwards(const Diagram& diagram, std::vector<T> values,
                                      const Options& options, Row row) {
  constexpr std::size_t block = 1 << 12;     // rows
  constexpr std::size_t interval = 1 << 21;  // children between two checks of the limits
  Team team(diagram.ids() < 8 * block ? 1 : options.threads);
  values.reserve(diagram.ids());
  for (std::size_t l = diagram.variables(); l-- > 0;) {
    const Diagram::Level& level = diagram.level(l);
    const std::size_t rows = diagram.nodes_at(l), width = diagram.domains()[l];
    const std::size_t round =
        block * std::max(interval / (block * width), std::size_t{4} * team.size());
    for (std::size_t begin = 0; begin < rows; begin += round) {
      if (const auto stop = exceeded(options.limits)) return tl::unexpected(*stop);
      const std::size_t end = std::min(rows, begin + round);
      values.resize(level.base + end);
      team.run((end - begin + block - 1) / block, [&](unsigned, std::size_t task) {
        const std::size_t first = begin + task * block, last = std::min(end, first + block);
        for (std::size_t i = first; i < last; ++i) {
          values[level.base + i] = row(l, level.children.data() + i * width, std::as_const(values));
        }
      });
    }
    diagram.release(l);
  }
  return values;
}

}  // namespace zermelo::dd
