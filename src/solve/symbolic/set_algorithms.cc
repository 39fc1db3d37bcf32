#include "solve/symbolic/set_algorithms.h"

namespace zermelo::solve {

std::vector<std::vector<std::size_t>> preference_orders(const StateSpace& space,
                                                        OpponentModel model) {
  std::vector<std::vector<std::size_t>> orders;
  for (std::size_t role = 0; role < space.roles(); ++role) {
    const std::vector<std::uint32_t> rank = ranks(model, role, space.outcomes());
    std::vector<std::size_t>& order = orders.emplace_back(rank.size());
    for (std::size_t o = 0; o < rank.size(); ++o) order[rank[o]] = o;
  }
  return orders;
}

std::vector<dd::Diagram> best_before(StateSpace& space, std::size_t position,
                                     const dd::Diagram& states, const Buckets& buckets,
                                     const std::vector<std::vector<std::size_t>>& orders) {
  std::vector<dd::Diagram> best(buckets.size(), space.none());
  for (std::size_t role = 0; role < space.roles(); ++role) {
    dd::Diagram rest = space.common(states, space.moving(role)[position]);
    for (const std::size_t o : orders[role]) {
      const dd::Diagram found = space.before(position, buckets[o][space.next(position)], rest);
      rest = space.without(rest, found);
      best[o] = space.unite(best[o], found);
    }
  }
  return best;
}

Buckets terminal_buckets(const StateSpace& space) {
  Buckets buckets;
  for (std::size_t o = 0; o < space.outcomes().size(); ++o) buckets.push_back(space.terminal(o));
  buckets.push_back(space.nowhere());
  return buckets;
}

}  // namespace zermelo::solve
