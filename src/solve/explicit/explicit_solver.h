// The explicit solver: every reachable state in memory, with its value.
//
// For games of up to some ten million states, and the twin that symbolic solving is compared with.
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
#include "solve/common/opponent_model.h"
#include "solve/explicit/game_graph.h"
#include "solve/explicit/retrograde.h"

namespace zermelo::solve {

struct ExplicitOptions {
  OpponentModel model = OpponentModel::own;
  base::Limits limits;
};

// Rewards are empty where play never ends; see retrograde.cc for what that means.
struct ValueCount {
  Rewards rewards;
  std::uint64_t states = 0;
};

struct MoveValue {
  std::size_t role = 0;
  machine::Move move = 0;
  Rewards rewards;    // with best play after the move
  bool best = false;  // whether that is the value of the state
};

class ExplicitSolution {
 public:
  ExplicitSolution(std::shared_ptr<const machine::Machine> machine, OpponentModel model,
                   GameGraph graph, GraphValues values);

  const machine::Machine& machine() const { return *machine_; }
  OpponentModel model() const { return model_; }
  std::uint64_t states() const { return graph_.size(); }
  std::uint64_t terminal_states() const { return graph_.terminal_states; }
  // Breadth-first layers from the initial state, which is the first.
  std::size_t layers() const { return graph_.layers(); }
  // Whether a state can occur again in one play.
  bool cyclic() const { return values_.cyclic; }

  machine::State initial() const;
  // The rewards with best play from the initial state.
  const Rewards& value() const { return rewards_of(values_.values[0]); }
  // Nothing for a state that is not reachable.
  std::optional<Rewards> value(const machine::State& state) const;
  // The values that occur, as the first role likes them, endless play last.
  std::vector<ValueCount> by_value() const;
  // The moves of the role whose turn it is, see turn.h, sorted by name. None for a terminal state
  // and one that is not reachable.
  std::vector<MoveValue> moves(const machine::State& state) const;

  const GameGraph& graph() const { return graph_; }
  const GraphValues& values() const { return values_; }

 private:
  const Rewards& rewards_of(Outcome outcome) const;

  std::shared_ptr<const machine::Machine> machine_;
  OpponentModel model_;
  GameGraph graph_;
  GraphValues values_;
};

// The value of every reachable state. Fails as `explore` and `evaluate` do.
base::Result<ExplicitSolution> solve_explicit(std::shared_ptr<const machine::Machine> machine,
                                              const ExplicitOptions& options);
// The same; nothing if there are more states.
base::Result<std::optional<ExplicitSolution>> solve_explicit_up_to(
    StateIndex max_states, std::shared_ptr<const machine::Machine> machine,
    const ExplicitOptions& options);

}  // namespace zermelo::solve
