// Operations on diagrams over the same variables. Most are one expansion and one reduction; none
// keeps anything between calls.
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

// How constants combine. Where an operand is already known to be `constant`, the result is
// `result`, whatever the others are; such rules are optional and only save work.
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

// Sets; the constants of the results are 0 and 1.
base::Result<Diagram> union_of(const std::vector<Diagram>& sets, const Options& options = {});
base::Result<Diagram> intersection_of(const std::vector<Diagram>& sets,
                                      const Options& options = {});
base::Result<Diagram> difference(const Diagram& a, const Diagram& b, const Options& options = {});
base::Result<Diagram> complement(const Diagram& a, const Options& options = {});

// Whether some assignment is in both sets.
base::Result<bool> intersect(const Diagram& a, const Diagram& b, const Options& options = {});
// The same; nothing if a level has more than so many pairs of nodes to look at.
std::optional<bool> intersect_within(const Diagram& a, const Diagram& b, std::size_t most_pairs);

// Puts table[c] in place of every constant c. Requires table[c] < constants.
base::Result<Diagram> relabel(const Diagram& diagram, const std::vector<NodeId>& table,
                              NodeId constants, const Options& options = {});

// The diagram with the named variables fixed; it depends on them no more.
base::Result<Diagram> restrict(const Diagram& diagram,
                               const std::vector<std::pair<std::size_t, Value>>& fixed,
                               const Options& options = {});

// The largest constant over all values of the named variables, on which the result does not
// depend. Of a set: existential quantification.
base::Result<Diagram> project(const Diagram& diagram, const std::vector<std::size_t>& variables,
                              const Options& options = {});

// The diagram where `care` is not 0, and any value elsewhere, chosen so that rows vanish.
base::Result<Diagram> simplify(const Diagram& diagram, const Diagram& care,
                               const Options& options = {});

}  // namespace zermelo::dd
