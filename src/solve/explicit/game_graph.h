// The reachable states of a turn-taking game as a graph: who decides in each state, where the moves
// lead, and what the terminal states are worth.
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
#include "solve/explicit/state_table.h"

namespace zermelo::solve {

// An outcome, by its place in GameGraph::outcomes.
using Outcome = std::uint32_t;
inline constexpr Outcome unknown_outcome = ~Outcome{0};

using Mover = std::uint16_t;
inline constexpr Mover nobody = ~Mover{0};

struct GameGraph {
  explicit GameGraph(std::size_t words_per_state) : states(words_per_state) {}

  StateTable states;                      // breadth first, the initial state has number 0
  std::vector<std::uint64_t> first_edge;  // by state, one more at the end
  std::vector<StateIndex> edges;          // the different successors of a state, ascending
  std::vector<Mover> movers;              // the role that decides; nobody where there is one way on
  std::vector<Outcome> terminal;          // by state; unknown_outcome where it is not terminal
  std::vector<Rewards> outcomes;          // of terminal states, each once
  StateIndex terminal_states = 0;
  std::vector<StateIndex>
      first_of_layer;  // by distance from the initial state, one more at the end

  StateIndex size() const { return states.size(); }
  std::size_t layers() const { return first_of_layer.size() - 1; }
  std::span<const StateIndex> successors(StateIndex state) const {
    return {edges.data() + first_edge[state], edges.data() + first_edge[state + 1]};
  }
};

// Enumerates all reachable states. Fails with not_applicable, naming a state, where several roles
// decide at the same time, a role has no legal move, or a terminal state has not one goal per role;
// and with the limit that is reached.
base::Result<GameGraph> explore(std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits);
// The same; nothing if there are more states.
base::Result<std::optional<GameGraph>> explore_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const base::Limits& limits);

}  // namespace zermelo::solve
