// Breadth first from the terminal states, over moves that keep the value. Where the role to move
// hurries, the first successor that is reached gives the distance; where it delays, the last one
// does, which a counter of the best moves that are still open tells. Without cycles, and where the
// value of one who delays is forced by another, all of its best moves are reached. A role that
// decides alone and can delay the end for ever has no distance.

#include "solve/explicit/distance.h"

#include <algorithm>

#include "solve/explicit/predecessors.h"

namespace zermelo::solve {
namespace {

class Search {
 public:
  Search(const GameGraph& graph, const GraphValues& values, const base::Limits& limits)
      : graph_(graph), values_(values.values), watch_(limits), predecessors_(graph, watch_) {}

  base::Result<std::vector<Distance>> run() {
    if (!watch_.stopped_now()) search();
    if (!watch_.stopped_now()) return std::move(distance_);
    return base::fail(*watch_.limit(), "stopped while finding the moves to the end");
  }

 private:
  void search() {
    distance_.assign(graph_.size(), no_distance);
    open_.resize(graph_.size());
    for (StateIndex s = 0; s < graph_.size(); ++s) open_[s] = moves_to_wait_for(s);
    for (StateIndex s = 0; s < graph_.size(); ++s) {
      if (graph_.terminal[s] != unknown_outcome) reach(s, 0);
    }
    for (std::size_t i = 0; i < queue_.size() && !watch_.stopped(); ++i) {
      for (const StateIndex before : predecessors_[queue_[i]]) visit(before, queue_[i]);
    }
  }

  void reach(StateIndex state, Distance distance) {
    distance_[state] = distance;
    queue_.push_back(state);
  }

  // Breadth first, so the last move to be reached is the longest.
  void visit(StateIndex before, StateIndex state) {
    if (values_[before] != values_[state] || distance_[before] != no_distance) return;
    if (--open_[before] == 0) reach(before, distance_[state] + 1);
  }

  StateIndex moves_to_wait_for(StateIndex state) const {
    const Mover mover = graph_.movers[state];
    if (mover == nobody || values_[state] == unknown_outcome) return 1;
    if (hurries(mover, graph_.outcomes[values_[state]])) return 1;
    const auto successors = graph_.successors(state);
    return static_cast<StateIndex>(
        std::count_if(successors.begin(), successors.end(),
                      [&](StateIndex next) { return values_[next] == values_[state]; }));
  }

  const GameGraph& graph_;
  const std::vector<Outcome>& values_;
  LimitWatch watch_;
  Predecessors predecessors_;
  std::vector<Distance> distance_;
  std::vector<StateIndex> open_;  // best moves to be reached before the distance is known
  std::vector<StateIndex> queue_;
};

}  // namespace

base::Result<std::vector<Distance>> distances(const GameGraph& graph, const GraphValues& values,
                                              const base::Limits& limits) {
  return Search(graph, values, limits).run();
}

}  // namespace zermelo::solve
