// The reachable states of a turn-taking game as a graph: the role that decides in each state, the
// successors, and the rewards of terminal states.
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
#include "solve/explicit/state_reduction.h"
#include "solve/explicit/state_table.h"

namespace zermelo::solve {

// An index into GameGraph::outcomes.
using Outcome = std::uint32_t;
inline constexpr Outcome unknown_outcome = ~Outcome{0};

using Mover = std::uint16_t;
inline constexpr Mover nobody = ~Mover{0};

struct GameGraph {
  explicit GameGraph(std::size_t words_per_state) : states(words_per_state) {}

  StateTable states;                      // breadth first, the initial state has number 0
  std::vector<std::uint64_t> first_edge;  // by state, one more at the end
  std::vector<StateIndex> edges;          // the different successors of a state, ascending
  std::vector<Mover> movers;              // the role that decides; nobody if there is one successor
  std::vector<Outcome> terminal;          // by state; unknown_outcome if it is not terminal
  std::vector<Rewards> outcomes;          // the different rewards of terminal states, descending
  StateIndex terminal_states = 0;
  std::vector<StateIndex>
      first_of_layer;  // by distance from the initial state, one more at the end

  StateIndex size() const { return states.size(); }
  std::size_t layers() const { return first_of_layer.size() - 1; }
  std::span<const StateIndex> successors(StateIndex state) const {
    return {edges.data() + first_edge[state], edges.data() + first_edge[state + 1]};
  }
};

// Enumerates all reachable states. Fails with the limit that is reached, and with not_applicable
// and a state in which several roles decide or a role has no legal move. With a reduction, the
// states are the representatives of their classes.
base::Result<GameGraph> explore(std::shared_ptr<const machine::Machine> machine,
                                const base::Limits& limits, StateReduction* reduction = nullptr);
// Like explore, but returns nullopt if there are more than `max_states` states.
base::Result<std::optional<GameGraph>> explore_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const base::Limits& limits, StateReduction* reduction = nullptr);

}  // namespace zermelo::solve
