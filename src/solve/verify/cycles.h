// The global check of a solution with cycles: that play actually reaches the stored values. Local
// checks of states and their successors cannot show it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace zermelo::solve {

// All states of a solution with their stored values.
struct ClaimedGraph {
  std::vector<std::uint64_t> first_edge = {0};  // by state, one more at the end
  std::vector<std::uint32_t> edges;             // successors; a terminal state has none
  std::vector<std::uint32_t> values;            // by state
  std::vector<std::uint32_t> movers;            // by state

  std::size_t size() const { return values.size(); }
};

class CycleCheck {
 public:
  // The graph must outlive this.
  explicit CycleCheck(const ClaimedGraph& graph);

  // Whether states can repeat.
  bool can_repeat() const;
  // The states from which moves that keep the value do not reach an end with this value, if the
  // role to move aims at such an end if `seeks(state)`, and otherwise avoids it.
  std::vector<std::uint32_t> without_end(const std::function<bool(std::uint32_t)>& seeks) const;

 private:
  template <class Counts, class Needed>
  std::vector<bool> reached(Counts counts, Needed needed) const;

  const ClaimedGraph& graph_;
  std::vector<std::uint64_t> first_;  // by state, of its predecessors; one more at the end
  std::vector<std::uint32_t> predecessors_;
};

}  // namespace zermelo::solve
