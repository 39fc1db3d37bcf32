// What is to be checked of a solution as a whole, because no state and its successors show it: that
// play also gets where the values promise.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace zermelo::solve {

// All states of a solution with what it says of them.
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

  // Whether a state can occur again.
  bool can_repeat() const;
  // The states from which no end with their value is reached by moves that keep it, when the role
  // to move seeks such an end where `seeks(state)`, and elsewhere does all to go on.
  std::vector<std::uint32_t> without_end(const std::function<bool(std::uint32_t)>& seeks) const;

 private:
  template <class Counts, class Needed>
  std::vector<bool> reached(Counts counts, Needed needed) const;

  const ClaimedGraph& graph_;
  std::vector<std::uint64_t> first_;  // by state, of its predecessors; one more at the end
  std::vector<std::uint32_t> predecessors_;
};

}  // namespace zermelo::solve
