// Counts joint-move sequences like machine::perft, but layer by layer: equal states of a layer are
// expanded once, with the number of sequences that lead to them. The numbers are the same, and the
// count is much faster.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "machine/perft.h"

namespace zermelo::testing {

template <base::StateMachine M>
class LayeredPerft {
 public:
  explicit LayeredPerft(M& machine) : machine_(machine), layer_{{machine.initial_state(), 1}} {}

  // Returns the counts of the next depth, starting at 0.
  machine::PerftDepth next() {
    if (started_) layer_ = expand();
    started_ = true;
    machine::PerftDepth counts;
    for (const auto& [state, sequences] : layer_) {
      counts.sequences += sequences;
      if (machine_.terminal(state)) counts.terminal += sequences;
    }
    return counts;
  }

  std::size_t states_in_layer() const { return layer_.size(); }

 private:
  using Layer = std::unordered_map<typename M::State, std::uint64_t>;

  Layer expand() {
    Layer successors;
    for (const auto& [state, sequences] : layer_) {
      if (machine_.terminal(state)) continue;
      const auto add = [&, &from = state, &count = sequences](std::span<const base::Move> joint) {
        successors[machine_.next_state(from, joint)] += count;
        return true;
      };
      machine::for_each_joint_move(machine::all_legal_moves(machine_, state), add);
    }
    return successors;
  }

  M& machine_;
  Layer layer_;
  bool started_ = false;
};

// Returns the counts of depths 0 to `depth`.
template <base::StateMachine M>
std::vector<machine::PerftDepth> layered_perft(M& machine, std::size_t depth) {
  LayeredPerft<M> perft(machine);
  std::vector<machine::PerftDepth> counts;
  while (counts.size() <= depth) counts.push_back(perft.next());
  return counts;
}

}  // namespace zermelo::testing
