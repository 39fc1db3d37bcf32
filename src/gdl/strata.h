// The order in which clauses can be evaluated, such that a negated predicate is complete before it
// is tested.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/dependency_graph.h"

namespace zermelo::gdl {

struct Strata {
  // Indices of clauses. A group depends only on itself and on earlier groups. Its clauses are
  // evaluated together up to a fixpoint.
  std::vector<std::vector<std::uint32_t>> groups;
  // Indices of dependencies: negations inside a group. Rules are stratified if there are none.
  std::vector<std::uint32_t> violations;
  // Indices of dependencies: negations inside a component of predicates that the order of the
  // clauses resolves.
  std::vector<std::uint32_t> resolved;
};

Strata find_strata(const Rulesheet& rulesheet, const DependencyGraph& graph);

}  // namespace zermelo::gdl
