// Edelkamp and Kissmann, "Symbolic Exploration for General Game Playing in PDDL", Algorithms 4 to
// 6: the general classification of two-player games, by a matrix of reward pairs with restarts.
//
// Every pair of rewards has a bucket, initially with its terminal states. Step by step, for one
// player and then the other, each bucket adds the predecessors of its states in which that player
// moves (Algorithm 5). So a state may get into several buckets. Then it stays only in the one that
// the player prefers (Algorithm 6), and the others become forbidden for the state. Because they may
// have passed the state on to its predecessors, the algorithm restarts from the terminal states.
// What was forbidden in an earlier step than the new one is allowed again: the reason may be gone.
// It ends with a run in which no state gets into two buckets.
//
// This implementation is for reference, not for use: each duplicate costs a run. It needs a game in
// which no state repeats. The paper does not prove that the result is the value of every state, so
// this is checked: each state must be in the bucket of the successor that its player prefers, from
// which the rest follows by induction.

#include <algorithm>
#include <map>

#include "solve/symbolic/set_algorithms.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;

class RewardMatrix {
 public:
  RewardMatrix(StateSpace& space, OpponentModel model,
               const std::function<void(const MatrixStep&)>& observer)
      : space_(space),
        orders_(preference_orders(space, model)),
        turns_(space.turns()),
        observer_(observer),
        forbidden_(space.outcomes().size()) {}

  Buckets run() {
    for (run_ = 0; !classify(); ++run_) {
    }
    return std::move(buckets_);
  }

  // Whether every state is in the bucket of its best successor.
  bool consistent(const Buckets& buckets) {
    for (std::size_t p = 0; p < space_.positions(); ++p) {
      const auto best = best_before(space_, p, space_.open()[p], buckets, orders_);
      for (std::size_t o = 0; o < best.size(); ++o) {
        if (!(space_.common(buckets[o][p], space_.open()[p]) == best[o])) return false;
      }
    }
    return true;
  }

 private:
  // Algorithm 4 until a restart. Returns true if there is none.
  bool classify() {
    buckets_ = terminal_buckets(space_);
    unchanged_.assign(space_.outcomes().size(), 0);
    observe(0, false);
    for (std::size_t step = 1; grows(); ++step) {
      const std::size_t player = (step - 1) % 2;
      construct_predecessors(player);
      const bool duplicates = delete_duplicates(player, step);
      observe(step, duplicates);
      if (duplicates) return false;
    }
    return true;
  }

  bool grows() const {
    return std::any_of(unchanged_.begin(), unchanged_.end(),
                       [](std::size_t steps) { return steps < 2; });
  }

  void construct_predecessors(std::size_t player) {
    for (std::size_t o = 0; o < unchanged_.size(); ++o) {
      if (unchanged_[o] >= 2) continue;
      const StateSets found = predecessors(player, o);
      unchanged_[o] = is_empty(found) ? unchanged_[o] + 1 : 0;
      buckets_[o] = space_.unite(buckets_[o], found);
    }
  }

  StateSets predecessors(std::size_t player, std::size_t outcome) {
    StateSets allowed = space_.without(turns_[player], buckets_[outcome]);
    for (const auto& [step, states] : forbidden_[outcome]) {
      allowed = space_.without(allowed, states);
    }
    StateSets found = space_.nowhere();
    for (std::size_t p = 0; p < found.size(); ++p) {
      found[p] = space_.before(p, buckets_[outcome][space_.next(p)], allowed[p]);
    }
    return found;
  }

  bool delete_duplicates(std::size_t player, std::size_t step) {
    bool any = false;
    StateSets better = space_.nowhere();
    for (const std::size_t o : orders_[player]) {
      StateSets duplicates = space_.nowhere();
      for (std::size_t p = 0; p < duplicates.size(); ++p) {
        duplicates[p] = space_.common(better[p], buckets_[o][p]);
      }
      better = space_.unite(better, buckets_[o]);
      if (is_empty(duplicates)) continue;
      any = true;
      const auto item = forbidden_[o].try_emplace(step, space_.nowhere()).first;
      item->second = space_.unite(item->second, duplicates);
    }
    if (any) allow_from_before(step);
    return any;
  }

  void allow_from_before(std::size_t step) {
    for (auto& items : forbidden_) items.erase(items.begin(), items.lower_bound(step));
  }

  void observe(std::size_t step, bool duplicates) const {
    if (observer_) observer_({run_, step, duplicates, buckets_});
  }

  StateSpace& space_;
  std::vector<std::vector<std::size_t>> orders_;
  std::vector<StateSets> turns_;  // by player
  const std::function<void(const MatrixStep&)>& observer_;
  Buckets buckets_;
  std::vector<std::size_t> unchanged_;  // by outcome, the number of steps without a change
  // By outcome and the step of the decision, states that must not get into the bucket.
  std::vector<std::map<std::size_t, StateSets>> forbidden_;
  std::size_t run_ = 0;
};

}  // namespace

base::Result<Classification> classify_by_matrix(
    StateSpace& space, OpponentModel model,
    const std::function<void(const MatrixStep&)>& observer) {
  const bool repeats = space.can_repeat();
  if (space.failure()) return tl::unexpected(*space.failure());
  if (space.roles() != 2 || repeats) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the algorithm matrix requires two roles and that no state repeats");
  }
  RewardMatrix matrix(space, model, observer);
  Classification result{matrix.run(), false};
  const bool consistent = matrix.consistent(result.buckets);
  if (space.failure()) return tl::unexpected(*space.failure());
  if (consistent) return result;
  return base::fail(base::ErrorKind::not_applicable,
                    "the algorithm matrix failed: a state is not in the bucket of its best "
                    "successor");
}

}  // namespace zermelo::solve
