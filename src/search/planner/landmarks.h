// Disjunctive action landmarks: sets of moves of which every plan makes one.
#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "search/planner/relaxed_graph.h"

namespace zermelo::search::planner {

class LandmarkFinder {
 public:
  // Both must outlive this.
  LandmarkFinder(const RelaxedGraph& graph, const RelaxedCosts& costs);

  // A small set of operators, each of which costs nothing to apply, such that a plan for the goal
  // has to begin with one of them as far as this goal's conditions tell. Empty if none is small
  // enough. Requires a complete run of the costs, in which the goal is reachable and not free.
  std::vector<std::uint32_t> smallest(Fact goal);

 private:
  using Operators = std::vector<std::uint32_t>;  // ascending

  struct Known {
    std::uint32_t round = 0;
    Operators operators;  // empty: too many, or none found
  };

  const Operators& of_fact(Fact fact, unsigned depth);
  Operators of_rule(RuleNumber rule, unsigned depth);

  const RelaxedGraph& graph_;
  const RelaxedCosts& costs_;
  std::vector<Known> known_;  // by fact
  std::uint32_t round_ = 0;
};

}  // namespace zermelo::search::planner
