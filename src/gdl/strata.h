// The order in which clauses can be evaluated, so that what is negated is complete before it is
// asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/dependency_graph.h"

namespace zermelo::gdl {

struct Strata {
  // Indices of clauses. A group only depends on itself and on groups before it; its clauses are
  // evaluated together until nothing new follows.
  std::vector<std::vector<std::uint32_t>> groups;
  // Indices of dependencies: negations inside a group, for which no order exists. Rules are
  // stratified if there is none.
  std::vector<std::uint32_t> violations;
  // Negations of a predicate that in turn depends on the head's, but only by other clauses.
  std::vector<std::uint32_t> resolved;
};

Strata find_strata(const Rulesheet& rulesheet, const DependencyGraph& graph);

}  // namespace zermelo::gdl
