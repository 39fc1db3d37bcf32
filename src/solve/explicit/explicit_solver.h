// The explicit solver: every reachable state in memory, with its value.
//
// For games of up to about ten million states, and the twin of the symbolic solver in tests.
//
//   auto solution = solve_explicit(machine, {.model = OpponentModel::own, .limits = limits});
//   solution->value(machine_state);           // the rewards with best play from there
//   solution->moves(solution->initial());     // every move, its value, whether it is best
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/move_value.h"
#include "solve/common/opponent_model.h"
#include "solve/explicit/game_graph.h"
#include "solve/explicit/retrograde.h"
#include "solve/explicit/state_reduction.h"

namespace zermelo::solve {

struct ExplicitOptions {
  OpponentModel model = OpponentModel::own;
  base::Limits limits;
  // Null: none. Otherwise the solution holds, and counts, one state of every class.
  std::shared_ptr<StateReduction> reduction = nullptr;
};

// The rewards are empty if play never ends; see retrograde.cc for what that means.
struct ValueCount {
  Rewards rewards;
  std::uint64_t states = 0;
};

class ExplicitSolution {
 public:
  ExplicitSolution(std::shared_ptr<const machine::Machine> machine, OpponentModel model,
                   GameGraph graph, GraphValues values,
                   std::shared_ptr<StateReduction> reduction = nullptr);

  const machine::Machine& machine() const { return *machine_; }
  OpponentModel model() const { return model_; }
  std::uint64_t states() const { return graph_.size(); }
  std::uint64_t terminal_states() const { return graph_.terminal_states; }
  // The number of breadth-first layers; the first one is the initial state.
  std::size_t layers() const { return graph_.layers(); }
  // Whether states can repeat.
  bool cyclic() const { return values_.cyclic; }

  machine::State initial() const;
  // The rewards with best play from the initial state.
  const Rewards& value() const { return rewards_of(values_.values[0]); }
  // Returns nullopt for a state that is not reachable.
  std::optional<Rewards> value(const machine::State& state) const;
  // The values that occur, best first for the first role, endless play last.
  std::vector<ValueCount> by_value() const;
  // The moves of the role that turn.h lists, best first, equal ones by name; without distances.
  // Empty for a terminal state and for one that is not reachable.
  std::vector<MoveValue> moves(const machine::State& state) const;

  // Best moves from the initial state to the end; empty if play never ends. Fails at a limit.
  base::Result<std::vector<MoveValue>> line(const base::Limits& limits) const;

  const GameGraph& graph() const { return graph_; }
  const GraphValues& values() const { return values_; }

 private:
  const Rewards& rewards_of(Outcome outcome) const;
  std::optional<StateIndex> find(machine::State state) const;
  std::vector<MoveValue> moves(const machine::State& state,
                               const std::vector<eval::Distance>& distances) const;

  std::shared_ptr<const machine::Machine> machine_;
  OpponentModel model_;
  GameGraph graph_;
  GraphValues values_;
  std::shared_ptr<StateReduction> reduction_;
};

// Finds the value of every reachable state. Fails like `explore` and `evaluate`.
base::Result<ExplicitSolution> solve_explicit(std::shared_ptr<const machine::Machine> machine,
                                              const ExplicitOptions& options);
// Like solve_explicit, but returns nullopt if there are more than `max_states` states.
base::Result<std::optional<ExplicitSolution>> solve_explicit_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const ExplicitOptions& options);

}  // namespace zermelo::solve
