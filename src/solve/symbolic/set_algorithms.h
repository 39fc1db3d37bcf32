// Algorithms that put all reachable states into buckets, one per outcome, by preimages of sets.
// Each is in a separate file that names its paper.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"
#include "solve/common/opponent_model.h"
#include "solve/symbolic/state_space.h"

namespace zermelo::solve {

// By outcome of the state space; the last one is for states from which play never ends.
using Buckets = std::vector<StateSets>;

struct Classification {
  Buckets buckets;
  bool cyclic = false;  // whether states can repeat
};

// All fail with not_applicable if they do not apply, and with the limit that is reached.

// Games of one role: the best reward it can reach. partition.cc
base::Result<Classification> partition_by_reward(StateSpace& space);

// Games of two roles with the rewards 100 and 0, 50 and 50, 0 and 100. zero_sum.cc
base::Result<Classification> classify_zero_sum(StateSpace& space);

// The buckets after the predecessors of a player were added and before duplicates are removed.
struct MatrixStep {
  std::size_t run = 0;   // the number of restarts
  std::size_t step = 0;  // within the run, from 1; 0: the terminal states
  bool duplicates = false;
  const Buckets& buckets;
};

// Games of two roles in which no state repeats. Slow. matrix.cc
base::Result<Classification> classify_by_matrix(
    StateSpace& space, OpponentModel model,
    const std::function<void(const MatrixStep&)>& observer = {});

// Whatever the explicit solver solves. retrograde.cc
base::Result<Classification> classify_by_strong_preimages(StateSpace& space, OpponentModel model);

// By role, its outcomes from the best to the worst.
std::vector<std::vector<std::size_t>> preference_orders(const StateSpace& space,
                                                        OpponentModel model);

// Divides states by the bucket of the successor that the role to move prefers. Requires that all
// successors are in buckets.
std::vector<dd::Diagram> best_before(StateSpace& space, std::size_t position,
                                     const dd::Diagram& states, const Buckets& buckets,
                                     const std::vector<std::vector<std::size_t>>& orders);

// The terminal states in their buckets, and an empty bucket for endless play.
Buckets terminal_buckets(const StateSpace& space);

}  // namespace zermelo::solve
