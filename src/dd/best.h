// The backward step of solving a game: the value of each state from the values of its successors.
#pragma once

#include <gmpxx.h>

#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "dd/relation.h"

namespace zermelo::dd {

// Who chooses in the states that have the constant, and what that role prefers.
struct Mover {
  NodeId not_terminal;
  std::vector<NodeId> order;  // every outcome once, the best first
};

struct BestQuery {
  NodeId outcomes;  // the constants 1..outcomes are values of states
  // 0 outside; the outcome of a terminal state; a constant above the outcomes, of some mover.
  Diagram states;
  // The values of the successors, 0..outcomes. Where it is neither asked nor defined, anything.
  Diagram next_values;
  // Its pairs from states that are not terminal: at least one from each, all to states for which
  // next_values is defined.
  Relation relation;
  std::vector<Mover> movers;
  bool count = false;
};

struct BestResult {
  // The value of each state: that of a terminal one, else the best over the successors for the
  // mover. Outside `states` it means nothing, so ask those first.
  Diagram values;
  std::vector<mpz_class> counts;  // by outcome, the number of states, if the query asks; [0] is 0
};

base::Result<BestResult> best_over_successors(const BestQuery& query, const Options& options = {});

}  // namespace zermelo::dd
