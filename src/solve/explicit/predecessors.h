// The reversed edges of a game graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solve/explicit/game_graph.h"
#include "solve/explicit/limit_watch.h"

namespace zermelo::solve {

struct Predecessors {
  std::vector<std::uint64_t> first;  // by state, one more at the end
  std::vector<StateIndex> states;

  // The result is incomplete if the watch has stopped.
  Predecessors(const GameGraph& graph, LimitWatch& watch) {
    if (watch.stopped_now()) return;
    first.resize(graph.size() + std::size_t{1});
    for (const StateIndex successor : graph.edges) ++first[successor];
    for (std::size_t s = 1; s < first.size(); ++s) first[s] += first[s - 1];
    if (watch.stopped_now()) return;
    states.resize(graph.edges.size());
    for (StateIndex s = graph.size(); s-- > 0 && !watch.stopped();) {
      for (const StateIndex successor : graph.successors(s)) states[--first[successor]] = s;
    }
  }
  std::span<const StateIndex> operator[](StateIndex state) const {
    return {states.data() + first[state], states.data() + first[state + 1]};
  }
};

}  // namespace zermelo::solve
