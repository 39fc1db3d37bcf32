// Edelkamp and Kissmann, "Symbolic Exploration for General Game Playing in PDDL", Algorithm 3, from
// Edelkamp, "Symbolic Exploration in Two-Player Games: Preliminary Results" (2002).
//
// For each player, the lost states are initially the terminal ones in which it gets 0; then those
// in which its opponent has a move to such a state (weak preimage), and those in which it moves
// itself and all its moves lead to such states (strong preimage). The paper alternates the two, as
// its players do; here the role to move in each state decides, so turns need not alternate.
//
// States that neither player has lost are draws in the paper. Here, a state from which an even end
// can be reached over other draws gets it, and the rest is endless: neither side gains by leaving
// such a path, and both prefer an even end to endless play (see solve/explicit/retrograde.cc).

#include <algorithm>

#include "solve/symbolic/set_algorithms.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;

const Rewards win = {100, 0}, draw = {50, 50}, loss = {0, 100};

class ZeroSum {
 public:
  explicit ZeroSum(StateSpace& space)
      : space_(space), buckets_(terminal_buckets(space)), rest_(space.open()) {}

  Buckets run() {
    find_lost(0, loss);
    find_lost(1, win);
    find_drawn();
    buckets_.back() = rest_;
    return std::move(buckets_);
  }

 private:
  StateSets* bucket(const Rewards& rewards) {
    const auto& outcomes = space_.outcomes();
    const auto at = std::find(outcomes.begin(), outcomes.end(), rewards);
    return at == outcomes.end() ? nullptr : &buckets_[at - outcomes.begin()];
  }

  Diagram add(StateSets& bucket, std::size_t position, const Diagram& found) {
    rest_[position] = space_.without(rest_[position], found);
    bucket[position] = space_.unite(bucket[position], found);
    return found;
  }

  void find_lost(std::size_t player, const Rewards& rewards) {
    StateSets* const lost = bucket(rewards);
    if (!lost) return;
    // A successor that is not lost is open, or has a better end.
    StateSets outside = space_.open();
    for (std::size_t o = 0; o < space_.outcomes().size(); ++o) {
      if (space_.outcomes()[o] != rewards) outside = space_.unite(outside, space_.terminal(o));
    }
    space_.spread(*lost, [&](std::size_t p, const Diagram& front) {
      const Diagram found =
          space_.forced_before(p, 1 - player, front, outside[space_.next(p)], rest_[p]);
      outside[p] = space_.without(outside[p], found);
      return add(*lost, p, found);
    });
  }

  void find_drawn() {
    StateSets* const drawn = bucket(draw);
    if (!drawn) return;
    space_.spread(*drawn, [&](std::size_t p, const Diagram& front) {
      return add(*drawn, p, space_.before(p, front, rest_[p]));
    });
  }

  StateSpace& space_;
  Buckets buckets_;
  StateSets rest_;  // in no bucket
};

bool applies(const StateSpace& space) {
  const auto& outcomes = space.outcomes();
  return space.roles() == 2 &&
         std::all_of(outcomes.begin(), outcomes.end(), [](const Rewards& rewards) {
           return rewards == win || rewards == draw || rewards == loss;
         });
}

}  // namespace

base::Result<Classification> classify_zero_sum(StateSpace& space) {
  if (!applies(space)) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the algorithm zero-sum requires two roles and the rewards 100 and 0, 50 and "
                      "50, or 0 and 100");
  }
  Classification result{ZeroSum(space).run(), space.can_repeat()};
  if (space.failure()) return tl::unexpected(*space.failure());
  return result;
}

}  // namespace zermelo::solve
