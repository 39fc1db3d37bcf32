// Operations on diagrams over the same variables. Most are one expansion and one reduction. None
// keeps data between calls.
//
// As a set, a diagram holds the assignments whose constant is not 0.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "dd/reduce.h"

namespace zermelo::dd {

// How constants combine. If an operand is known to be `constant`, the result is `result`, whatever
// the others are. Such rules are optional and only save work.
struct Combination {
  struct Shortcut {
    std::size_t operand;
    NodeId constant;
    NodeId result;
  };

  NodeId constants;  // of the result
  std::function<NodeId(std::span<const NodeId>)> value;
  std::vector<Shortcut> shortcuts = {};
  Reduction reduction = Reduction::exact;
};

// Requires at least one operand.
base::Result<Diagram> combine(const std::vector<Diagram>& operands, const Combination& combination,
                              const Options& options = {});

// Set operations. The constants of the results are 0 and 1.
base::Result<Diagram> union_of(const std::vector<Diagram>& sets, const Options& options = {});
base::Result<Diagram> intersection_of(const std::vector<Diagram>& sets,
                                      const Options& options = {});
base::Result<Diagram> difference(const Diagram& a, const Diagram& b, const Options& options = {});
base::Result<Diagram> complement(const Diagram& a, const Options& options = {});

// Returns whether some assignment is in both sets.
base::Result<bool> intersect(const Diagram& a, const Diagram& b, const Options& options = {});
// Like intersect, but returns nullopt if a level has more than `max_pairs` pairs of nodes to
// check.
std::optional<bool> intersect_within(const Diagram& a, const Diagram& b, std::size_t max_pairs);

// Replaces every constant c by table[c]. Requires table[c] < constants.
base::Result<Diagram> relabel(const Diagram& diagram, const std::vector<NodeId>& table,
                              NodeId constants, const Options& options = {});

// Returns the diagram with the given variables fixed. The result does not depend on them.
base::Result<Diagram> restrict(const Diagram& diagram,
                               const std::vector<std::pair<std::size_t, Value>>& fixed,
                               const Options& options = {});

// Returns the largest constant over all values of the given variables, on which the result does not
// depend. For a set: existential quantification.
base::Result<Diagram> project(const Diagram& diagram, const std::vector<std::size_t>& variables,
                              const Options& options = {});

// Returns a diagram that agrees where `care` is not 0. Elsewhere its values are chosen to save
// rows.
base::Result<Diagram> simplify(const Diagram& diagram, const Diagram& care,
                               const Options& options = {});

}  // namespace zermelo::dd
