// The reachable states of a game as a graph of joint moves: what GameGraph is for games in which
// the roles take turns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/opponent_model.h"
#include "solve/explicit/game_graph.h"
#include "solve/explicit/limit_watch.h"
#include "solve/explicit/state_table.h"

namespace zermelo::solve {

struct JointGraph {
  JointGraph(std::size_t words_per_state, std::size_t number_of_roles)
      : states(words_per_state), roles(number_of_roles) {}

  StateTable states;  // breadth first, the initial state has number 0
  std::size_t roles;
  std::vector<std::uint64_t> first_edge;  // by state, one more at the end
  // By joint move of a state, in which the move of the first role varies fastest.
  std::vector<StateIndex> edges;
  std::vector<std::uint32_t> moves;  // by state and role, the number of legal moves; 0 if terminal
  std::vector<Outcome> terminal;     // by state; unknown_outcome if it is not terminal
  std::vector<Rewards> outcomes;     // the different rewards of terminal states
  StateIndex terminal_states = 0;
  // By distance from the initial state, one more at the end.
  std::vector<StateIndex> first_of_layer;

  StateIndex size() const { return states.size(); }
  std::size_t layers() const { return first_of_layer.size() - 1; }
  std::span<const StateIndex> successors(StateIndex state) const {
    return {edges.data() + first_edge[state], edges.data() + first_edge[state + 1]};
  }
  std::span<const std::uint32_t> moves_of(StateIndex state) const {
    return {moves.data() + state * roles, roles};
  }
};

// Whether some other move of the role has another successor, with some moves of the others.
bool decides(const JointGraph& graph, StateIndex state, std::size_t role);

// The states, each after its predecessors. Fewer than all if states can repeat. The result is
// incomplete if the watch has stopped.
std::vector<StateIndex> predecessors_first(const JointGraph& graph, LimitWatch& watch);

// Enumerates all reachable states. Fails with the limit that is reached, and with not_applicable
// and a state in which a role has no legal move.
base::Result<JointGraph> explore_joint_moves(std::shared_ptr<const machine::Machine> machine,
                                             const base::Limits& limits);

}  // namespace zermelo::solve
