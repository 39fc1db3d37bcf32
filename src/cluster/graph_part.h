// The part of a game's graph that one rank owns: solve::GameGraph, with the states partitioned by
// their hash.
//
// A rank knows the number of different successors of its states, but not which they are. It knows
// the predecessors of its states, wherever they are: retrograde analysis needs no more.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "cluster/channel.h"
#include "machine/machine.h"
#include "solve/explicit/game_graph.h"

namespace zermelo::cluster {

using solve::Mover;
using solve::Outcome;
using solve::StateIndex;

// For every state of this rank, its predecessors: a list in fixed-size blocks that never move.
class PredecessorLists {
 public:
  void add(StateIndex state, std::size_t rank, StateIndex predecessor);
  // Calls visit(rank, predecessor).
  template <class Visit>
  void for_each(StateIndex state, const Visit& visit) const {
    if (state >= newest_.size()) return;
    for (std::uint32_t edge = newest_[state]; edge != none;) {
      const Block& block = *blocks_[edge / block_size];
      const std::size_t place = edge % block_size;
      visit(std::size_t{block.ranks[place]}, block.predecessors[place]);
      edge = block.next[place];
    }
  }
  bool is_full() const { return edges_ == none; }

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr std::size_t block_size = std::size_t{1} << 14;

  struct Block {
    std::uint32_t next[block_size];
    StateIndex predecessors[block_size];
    std::uint16_t ranks[block_size];
  };

  std::vector<std::uint32_t> newest_;  // by state
  std::vector<std::unique_ptr<Block>> blocks_;
  std::uint32_t edges_ = 0;
};

struct GraphPart {
  explicit GraphPart(std::size_t words_per_state) : states(words_per_state) {}

  // By state of this rank.
  solve::StateTable states;                // breadth first
  std::vector<std::uint32_t> successors;   // the number of different ones
  std::vector<Mover> movers;               // nobody if there is one successor
  std::vector<Outcome> terminal;           // unknown_outcome if it is not terminal
  std::vector<StateIndex> first_of_layer;  // one more at the end
  PredecessorLists predecessors;

  std::vector<solve::Rewards> outcomes;  // of all ranks, descending
  std::uint64_t all_states = 0;          // of all ranks

  StateIndex size() const { return states.size(); }
  std::size_t layers() const { return first_of_layer.size() - 1; }
};

// Explores the game on all ranks. Fails on all of them, as solve::explore does, with the error of
// the first rank that has one.
base::Result<GraphPart> explore(Channel& channel, std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits);

}  // namespace zermelo::cluster
