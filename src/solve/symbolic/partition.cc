// Edelkamp and Kissmann, "Symbolic Exploration for General Game Playing in PDDL", Algorithm 2:
// classification of single-player games.
//
// From the largest reward to the smallest: all states from which a terminal state with this reward
// can be reached, without those from which a larger one can. They are found by repeated weak
// preimages until there are no new states. States may repeat. Those from which no terminal state
// can be reached remain and are endless; in the paper, every game ends.

#include "solve/symbolic/set_algorithms.h"

namespace zermelo::solve {

using dd::Diagram;

base::Result<Classification> partition_by_reward(StateSpace& space) {
  if (space.roles() != 1) {
    return base::fail(base::ErrorKind::not_applicable, "the algorithm partition requires one role");
  }
  Classification result{terminal_buckets(space), false};
  StateSets rest = space.open();
  const auto orders = preference_orders(space, OpponentModel::own);
  for (const std::size_t reward : orders.front()) {
    StateSets& bucket = result.buckets[reward];
    space.spread(bucket, [&](std::size_t p, const Diagram& front) {
      const Diagram found = space.before(p, front, rest[p]);
      rest[p] = space.without(rest[p], found);
      bucket[p] = space.unite(bucket[p], found);
      return found;
    });
  }
  result.buckets.back() = rest;
  result.cyclic = space.can_repeat();
  if (space.failure()) return tl::unexpected(*space.failure());
  return result;
}

}  // namespace zermelo::solve
