// Multi-valued decision diagrams as immutable values.
//
// A diagram is a function from assignments of multi-valued variables to constants 0..k-1. Variable
// `l` is tested at level `l`, level 0 at the top. A level is one array of rows; a row holds the ids
// of the children by value of the variable. Ids are numbered bottom-up through the whole diagram:
// the constants first, then the rows of the last level, then those of the level above, up to the
// top. So an id below a level's base is a deeper node or a constant; this is how an edge skips
// levels at no cost. A copy shares the arrays, and any number of threads may read them. There is no
// manager, no unique table and no garbage collection.
//
//   Conditions conditions({2, 3});
//   Diagram set = conditions.diagram(conditions.literal(1, {0, 2}));
//   set.evaluate({0, 2});                 // 1
//   set.count(1);                         // 4
//
// The operations of this module return reduced diagrams: no two rows of a level are equal and no
// row has all its children equal. Reduced diagrams of the same function are equal.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "dd/node_array.h"
#include "dd/options.h"

namespace zermelo::dd {

using Value = std::uint32_t;
using Domains = std::vector<Value>;  // number of values by variable, at least 1

class Diagram {
 public:
  struct Level {
    NodeId base = 0;     // id of the first row
    NodeArray children;  // row by row, one per value of the variable
  };

  // Returns the diagram with the same constant everywhere. Requires value < constants.
  static Diagram constant(Domains domains, NodeId constants, NodeId value);
  // Takes over finished levels. Requires the numbering described above, and that root is a valid
  // id.
  Diagram(Domains domains, NodeId constants, std::vector<Level> levels, NodeId root);

  const Domains& domains() const { return body_->domains; }
  std::size_t variables() const { return body_->domains.size(); }
  NodeId constants() const { return body_->constants; }
  NodeId root() const { return body_->root; }
  bool is_constant() const { return root() < constants(); }
  bool is_empty_set() const { return root() == 0; }
  const Level& level(std::size_t l) const { return body_->levels[l]; }
  // Frees the memory of a level that has been read, if it is in a file.
  void release(std::size_t l) const { level(l).children.release(); }

  std::size_t nodes_at(std::size_t l) const { return level(l).children.size() / body_->domains[l]; }
  std::size_t nodes() const;  // without the constants
  std::size_t bytes() const;  // of the child arrays
  NodeId ids() const;         // one more than the largest id

  // Returns the child of a node or constant at or below a level. An id of a deeper level is its own
  // child.
  NodeId child(std::size_t l, NodeId id, Value value) const {
    const Level& at = level(l);
    if (id < at.base) return id;
    return at.children[std::size_t{id - at.base} * body_->domains[l] + value];
  }

  // Requires one value per variable, within its domain.
  NodeId evaluate(std::span<const Value> assignment) const;
  NodeId evaluate(std::initializer_list<Value> assignment) const {
    return evaluate(std::span<const Value>(assignment.begin(), assignment.size()));
  }

  // Returns the exact number of assignments with the constant. Checks no limits, so it is not for
  // large diagrams.
  mpz_class count(NodeId constant) const;
  // Returns the counts by constant; their sum is the product of the domains. Needs two numbers per
  // node.
  base::Result<std::vector<mpz_class>> counts(const Options& options = {}) const;

  // Returns the first assignment in lexicographic order that has the constant, if any.
  std::optional<std::vector<Value>> pick(NodeId constant) const;
  // Calls visit with each assignment that has the constant, in lexicographic order, until it
  // returns false.
  void enumerate(NodeId constant, const std::function<bool(std::span<const Value>)>& visit) const;

  // Returns the graph in Graphviz format, without edges to constant 0.
  std::string dot() const;

  // Returns whether two reduced diagrams are the same function: the same graph, in any order of
  // rows.
  friend bool operator==(const Diagram& a, const Diagram& b);
  // Returns whether the arrays are equal, row by row.
  friend bool identical(const Diagram& a, const Diagram& b);

 private:
  struct Body {
    Domains domains;
    NodeId constants;
    std::vector<Level> levels;
    NodeId root;
  };

  std::shared_ptr<const Body> body_;
};

// Returns, by constant, whether some assignment has it.
std::vector<bool> occurring_constants(const Diagram& diagram);

// Returns, by node id, whether a path leads to a constant for which `wanted` is true.
base::Result<std::vector<std::uint8_t>> reaches(const Diagram& diagram,
                                                const std::vector<bool>& wanted,
                                                const Options& options = {});

}  // namespace zermelo::dd
