// The backward step of solving a game: the value of each state from the values of its successors.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "dd/relation.h"

namespace zermelo::dd {

// The role that chooses in the states with the constant, and its preferences.
struct Mover {
  NodeId not_terminal;
  std::vector<NodeId> order;  // every outcome once, the best first
};

struct BestQuery {
  NodeId outcomes;  // the constants 1..outcomes are values of states
  // 0 outside the set; the outcome of a terminal state; a constant above the outcomes for the
  // mover.
  Diagram states;
  // The values of the successors, 0..outcomes. Arbitrary for states that are not successors.
  Diagram next_values;
  // From each non-terminal state, at least one pair, and only pairs to states for which next_values
  // is defined.
  Relation relation;
  std::vector<Mover> movers;
  bool count = false;
};

struct BestResult {
  // The value of each state: the outcome of a terminal state, else the best over the successors for
  // the mover. Values outside `states` are arbitrary, so check membership first.
  Diagram values;
  std::vector<mpz_class> counts;  // number of states by outcome, if requested; [0] is 0
};

base::Result<BestResult> best_over_successors(const BestQuery& query, const Options& options = {});

}  // namespace zermelo::dd
