// Breadth-first search backwards from the terminal states, over moves that keep the value. If the
// role to move hurries, the first successor that is reached gives the distance. If it delays, the
// last one does; a counter holds the best moves that are not reached yet. Without cycles, and if
// another role forces the value of the role that delays, all of its best moves are reached. A role
// that decides alone and can delay the end forever has no distance.

#include "solve/explicit/distance.h"

#include <algorithm>

#include "base/error_name.h"
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
    return tl::unexpected(base::limit_error(*watch_.limit(), "while computing distances"));
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

  // The search is breadth first, so the last move to be reached is the longest.
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
  std::vector<StateIndex> open_;  // by state, best moves to reach before the distance is known
  std::vector<StateIndex> queue_;
};

}  // namespace

base::Result<std::vector<Distance>> distances(const GameGraph& graph, const GraphValues& values,
                                              const base::Limits& limits) {
  return Search(graph, values, limits).run();
}

}  // namespace zermelo::solve
