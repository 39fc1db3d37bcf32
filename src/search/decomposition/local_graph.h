// The states of one part of a factored game and the moves between them, expanded on demand.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "search/decomposition/factored_game.h"

namespace zermelo::search::decomposition {

using LocalState = std::uint32_t;

class LocalGraph {
 public:
  struct Edge {
    Move move;
    LocalState to;
  };

  // The game must outlive this. State 0 is that of the root.
  LocalGraph(FactoredGame& game, std::size_t part);

  // The successors after so many steps, one edge each. The number of steps matters only in parallel
  // games, in which the legal moves may depend on the time.
  const std::vector<Edge>& edges(LocalState state, std::uint32_t steps);
  const Evaluations& evaluations(LocalState state) const { return evaluations_[state]; }
  const State& state(LocalState state) const { return states_[state]; }
  std::size_t size() const { return states_.size(); }
  // The number of successors computed so far, duplicates included.
  std::size_t computed() const { return computed_; }

 private:
  LocalState insert(State state);
  std::vector<Edge> expand(LocalState state, std::uint32_t steps);

  FactoredGame& game_;
  const std::size_t part_;
  machine::Cursor cursor_;
  std::vector<bool> is_of_part_;  // by move
  std::vector<State> states_;     // without the fluents of others
  std::vector<Evaluations> evaluations_;
  std::unordered_map<State, LocalState> numbers_;
  std::unordered_map<std::uint64_t, std::vector<Edge>> edges_;  // by state and steps
  std::size_t computed_ = 0;
};

}  // namespace zermelo::search::decomposition
