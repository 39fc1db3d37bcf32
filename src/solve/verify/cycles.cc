// Values that agree with those of the best successors may still be wrong on a cycle, where each
// state can justify its value by the next one. They are correct if every state with rewards also
// has a rank: terminal states have one; a state in which the role to move prefers its value to
// endless play needs a successor with the same value and a rank; if it prefers endless play, all
// successors with the same value must have a rank, because it would take another one.
//
// Proof. Let one role decide. No state is worth less than what it can reach, since values agree
// with best successors; with a rank it reaches its value. Let two roles be opposed and a value be
// good for the first, that is, better than endless play for it and worse for the second. Then a
// rank is a strategy of the first that ends the game with this value or a better one within rank
// moves, and since the values agree it cannot force more. Between the values that are good for one
// and those that are good for the other, there are only an even end and endless play. Both prefer
// the end. So, since the values agree, no state of endless play has a successor with the even end,
// and with a rank there is a path to the even end that neither gains by leaving.

#include "solve/verify/cycles.h"

#include <algorithm>

namespace zermelo::solve {

CycleCheck::CycleCheck(const ClaimedGraph& graph)
    : graph_(graph), first_(graph.size() + 1), predecessors_(graph.edges.size()) {
  for (const std::uint32_t to : graph.edges) ++first_[to];
  for (std::size_t s = 1; s < first_.size(); ++s) first_[s] += first_[s - 1];
  for (std::uint32_t from = 0; from < graph.size(); ++from) {
    for (std::uint64_t e = graph.first_edge[from]; e < graph.first_edge[from + 1]; ++e) {
      predecessors_[--first_[graph.edges[e]]] = from;
    }
  }
}

// By state, whether it is terminal or enough of the successors that count are reached.
template <class Counts, class Needed>
std::vector<bool> CycleCheck::reached(Counts counts, Needed needed) const {
  std::vector<std::uint32_t> open(graph_.size()), queue;
  std::vector<bool> found(graph_.size());
  for (std::uint32_t s = 0; s < graph_.size(); ++s) {
    open[s] = needed(s);
    found[s] = graph_.first_edge[s] == graph_.first_edge[s + 1];
    if (found[s]) queue.push_back(s);
  }
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t to = queue[i];
    for (std::uint64_t e = first_[to]; e < first_[to + 1]; ++e) {
      const std::uint32_t from = predecessors_[e];
      if (found[from] || !counts(from, to) || --open[from] > 0) continue;
      found[from] = true;
      queue.push_back(from);
    }
  }
  return found;
}

bool CycleCheck::can_repeat() const {
  const std::vector<bool> ends =
      reached([](std::uint32_t, std::uint32_t) { return true; },
              [&](std::uint32_t s) {
                return static_cast<std::uint32_t>(graph_.first_edge[s + 1] - graph_.first_edge[s]);
              });
  return std::find(ends.begin(), ends.end(), false) != ends.end();
}

std::vector<std::uint32_t> CycleCheck::without_end(
    const std::function<bool(std::uint32_t)>& seeks) const {
  const auto keeps = [&](std::uint32_t from, std::uint32_t to) {
    return graph_.values[from] == graph_.values[to];
  };
  const std::vector<bool> ends = reached(keeps, [&](std::uint32_t s) {
    if (seeks(s)) return std::uint32_t{1};
    const auto begin = graph_.edges.begin() + static_cast<std::ptrdiff_t>(graph_.first_edge[s]);
    const auto end = graph_.edges.begin() + static_cast<std::ptrdiff_t>(graph_.first_edge[s + 1]);
    return static_cast<std::uint32_t>(
        std::count_if(begin, end, [&](std::uint32_t to) { return keeps(s, to); }));
  });
  std::vector<std::uint32_t> rest;
  for (std::uint32_t s = 0; s < graph_.size(); ++s) {
    if (!ends[s]) rest.push_back(s);
  }
  return rest;
}

}  // namespace zermelo::solve
