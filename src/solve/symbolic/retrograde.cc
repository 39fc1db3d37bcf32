// `retrograde` on sets of states: the buckets of Edelkamp and Kissmann, "Symbolic Exploration for
// General Game Playing in PDDL", filled without restarts.
//
// A state is put into a bucket when all its successors are in buckets, that is, when it is in the
// strong preimage of the solved states. Among the states that have become ready, each outcome takes
// its weak preimage, in the order of preference of the role to move (the opponent model). Kissmann
// and Edelkamp, "Layer-Abstraction for Symbolically Solving General Two-Player Games", do the same
// by layers, but here a state is solved once even if different numbers of moves lead to it, and
// there may be any number of roles.
//
// States that remain are on cycles or lead to them. Then, as in the explicit solver (which explains
// such values in solve/explicit/retrograde.cc), outcomes are assigned best first: to a single role
// that decides, those it can force; to each of two opposed roles, those it can force that are at
// least even for it. Other states get an even end if there is a path to one. The rest is endless.

#include "solve/explicit/retrograde.h"

#include <algorithm>

#include "solve/symbolic/set_algorithms.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;

class StrongPreimages {
 public:
  StrongPreimages(StateSpace& space, OpponentModel model)
      : space_(space),
        model_(model),
        orders_(preference_orders(space, model)),
        buckets_(terminal_buckets(space)),
        rest_(space.open()) {}

  base::Result<Classification> run() {
    solve_backwards();
    const bool cyclic = !is_empty(rest_);
    if (cyclic && !space_.failure() && !space_.outcomes().empty()) {
      if (auto solved = solve_cycles(); !solved) return tl::unexpected(solved.error());
    }
    if (space_.failure()) return tl::unexpected(*space_.failure());
    buckets_.back() = rest_;
    return Classification{std::move(buckets_), cyclic};
  }

 private:
  void add(std::size_t outcome, std::size_t position, const Diagram& found) {
    buckets_[outcome][position] = space_.unite(buckets_[outcome][position], found);
    rest_[position] = space_.without(rest_[position], found);
  }

  void solve_backwards() {
    StateSets ends = space_.nowhere();
    for (const StateSets& sets : buckets_) ends = space_.unite(ends, sets);
    space_.spread(ends, [&](std::size_t p, const Diagram& front) {
      const Diagram ready = space_.only_before(p, front, rest_[space_.next(p)], rest_[p]);
      if (is_empty(ready)) return ready;
      const auto best = best_before(space_, p, ready, buckets_, orders_);
      for (std::size_t o = 0; o < best.size(); ++o) add(o, p, best[o]);
      return ready;
    });
  }

  base::Result<void> solve_cycles() {
    Ranks rank_of;
    for (std::size_t role = 0; role < space_.roles(); ++role) {
      rank_of.push_back(ranks(model_, role, space_.outcomes()));
    }
    const auto roles = contestants(rank_of, space_.deciding());
    if (!roles) return tl::unexpected(roles.error());
    if (roles->size() < 2) {
      const std::size_t role = roles->empty() ? 0 : roles->front();
      take(force(role, orders_[role]));
    } else {
      settle((*roles)[0], (*roles)[1]);
    }
    return {};
  }

  // The lead of the first role over the second.
  int balance(std::size_t outcome, std::size_t first, std::size_t second) const {
    const Rewards& rewards = space_.outcomes()[outcome];
    return aim(model_, first, rewards) - aim(model_, second, rewards);
  }

  void settle(std::size_t first, std::size_t second) {
    const Buckets forced = force_at_least_even(first, second);
    const Buckets held = force_at_least_even(second, first);
    take(forced);
    take(held);
    for (std::size_t o = 0; o < space_.outcomes().size(); ++o) {
      if (balance(o, first, second) == 0) end_with(o);
    }
  }

  Buckets force_at_least_even(std::size_t role, std::size_t other) {
    std::vector<std::size_t> outcomes = orders_[role];
    std::erase_if(outcomes, [&](std::size_t o) { return balance(o, role, other) < 0; });
    return force(role, outcomes);
  }

  // By outcome, the states of the rest in which the role can force it, but no earlier one of the
  // list.
  Buckets force(std::size_t role, const std::vector<std::size_t>& outcomes) {
    Buckets forced(buckets_.size(), space_.nowhere());
    StateSets open = rest_, outside = rest_;
    for (const StateSets& sets : buckets_) outside = space_.unite(outside, sets);
    for (const std::size_t o : outcomes) {
      outside = space_.without(outside, buckets_[o]);
      space_.spread(buckets_[o], [&](std::size_t p, const Diagram& front) {
        const Diagram found =
            space_.forced_before(p, role, front, outside[space_.next(p)], open[p]);
        open[p] = space_.without(open[p], found);
        outside[p] = space_.without(outside[p], found);
        forced[o][p] = space_.unite(forced[o][p], found);
        return found;
      });
    }
    return forced;
  }

  void take(const Buckets& found) {
    for (std::size_t o = 0; o < found.size(); ++o) {
      for (std::size_t p = 0; p < rest_.size(); ++p)
        add(o, p, space_.common(found[o][p], rest_[p]));
    }
  }

  // A role that can leave endless play for this end does so.
  void end_with(std::size_t outcome) {
    space_.spread(buckets_[outcome], [&](std::size_t p, const Diagram& front) {
      const Diagram found = space_.before(p, front, rest_[p]);
      add(outcome, p, found);
      return found;
    });
  }

  StateSpace& space_;
  OpponentModel model_;
  std::vector<std::vector<std::size_t>> orders_;
  Buckets buckets_;
  StateSets rest_;  // in no bucket
};

}  // namespace

base::Result<Classification> classify_by_strong_preimages(StateSpace& space, OpponentModel model) {
  return StrongPreimages(space, model).run();
}

}  // namespace zermelo::solve
