// Random functions for the tests of diagrams: as a table of all values, and as its diagram.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.h"
#include "dd/conditions.h"
#include "dd/diagram.h"
#include "dd/operations.h"

namespace zermelo::dd {

inline Domains random_domains(base::Random& random, std::size_t variables, Value largest) {
  Domains domains(variables);
  for (Value& domain : domains) domain = 2 + random.below(largest - 1);
  return domains;
}

// Returns every assignment in lexicographic order: the last variable changes fastest.
inline std::vector<std::vector<Value>> all_assignments(const Domains& domains) {
  std::vector<std::vector<Value>> result = {{}};
  for (const Value domain : domains) {
    std::vector<std::vector<Value>> longer;
    for (const auto& prefix : result) {
      for (Value value = 0; value < domain; ++value) {
        longer.push_back(prefix);
        longer.back().push_back(value);
      }
    }
    result = std::move(longer);
  }
  return result;
}

// A function with some structure: the best of a few random cubes decides, else 0.
inline std::vector<NodeId> random_table(base::Random& random, const Domains& domains,
                                        NodeId constants, unsigned cubes) {
  const auto assignments = all_assignments(domains);
  std::vector<NodeId> table(assignments.size(), 0);
  for (unsigned c = 0; c < cubes; ++c) {
    std::vector<Value> cube(domains.size());
    std::vector<bool> free(domains.size());
    for (std::size_t l = 0; l < domains.size(); ++l) {
      cube[l] = random.below(domains[l]);
      free[l] = random.below(2) == 0;
    }
    const NodeId constant = random.below(constants);
    for (std::size_t a = 0; a < assignments.size(); ++a) {
      bool inside = true;
      for (std::size_t l = 0; l < domains.size(); ++l) {
        inside = inside && (free[l] || assignments[a][l] == cube[l]);
      }
      if (inside) table[a] = constant;
    }
  }
  return table;
}

// Builds the reduced diagram of a table, level by level by comparing whole sub-tables: slow and
// obvious.
inline Diagram diagram_of(const Domains& domains, NodeId constants,
                          const std::vector<NodeId>& table) {
  std::vector<NodeId> ids = table;
  std::vector<Diagram::Level> levels(domains.size());
  NodeId next = constants;
  for (std::size_t l = domains.size(); l-- > 0;) {
    const std::size_t width = domains[l];
    levels[l].base = next;
    std::vector<NodeId> above, rows;
    for (std::size_t row = 0; row < ids.size(); row += width) {
      const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(row);
      const std::vector<NodeId> children(begin, begin + static_cast<std::ptrdiff_t>(width));
      if (std::count(children.begin(), children.end(), children[0]) ==
          static_cast<std::ptrdiff_t>(width)) {
        above.push_back(children[0]);
        continue;
      }
      std::size_t known = 0;
      while (known < rows.size() &&
             !std::equal(children.begin(), children.end(),
                         rows.begin() + static_cast<std::ptrdiff_t>(known))) {
        known += width;
      }
      if (known == rows.size()) {
        rows.insert(rows.end(), children.begin(), children.end());
        ++next;
      }
      above.push_back(levels[l].base + static_cast<NodeId>(known / width));
    }
    levels[l].children = std::move(rows);
    ids = std::move(above);
  }
  return Diagram(domains, constants, std::move(levels), ids[0]);
}

inline Diagram random_diagram(base::Random& random, const Domains& domains, NodeId constants,
                              unsigned cubes) {
  return diagram_of(domains, constants, random_table(random, domains, constants, cubes));
}

inline std::vector<NodeId> table_of(const Diagram& diagram) {
  std::vector<NodeId> table;
  for (const auto& assignment : all_assignments(diagram.domains())) {
    table.push_back(diagram.evaluate(assignment));
  }
  return table;
}

}  // namespace zermelo::dd
