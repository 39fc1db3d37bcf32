// A game compiled for bit-sliced random play: programs over lanes, one per phase.
//
// Autonomous fluents with a short period (such as the control) are constants in the program of each
// phase. A step of a phase runs `before_choice` (legal moves and termination), draws a number for
// every choice, and runs `after_choice` (the chosen moves and the next state).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/bit_set.h"
#include "base/limits.h"
#include "base/result.h"
#include "circuit/compiled_game.h"
#include "circuit/game_circuit.h"
#include "ground/game.h"
#include "lanes/draw.h"
#include "lanes/lane_executor.h"

namespace zermelo::lanes {

struct SlotCopy {
  Slot from, to;
};

// All phases share a frame. Its first slots hold the state of each phase, followed by the
// constants; each phase reuses the rest.
struct SlicedPhase {
  LaneProgram before_choice;
  LaneProgram after_choice;
  SlotMap slots;
  std::vector<Draw> draws;
  std::vector<Slot> forced;  // legal bits of the only possible move of a role
  Slot terminal = 0;
  std::vector<Slot> state;       // by live fluent, read by before_choice
  std::vector<Slot> fluents;     // by fluent of the game: its state slot, or that of a constant
  std::vector<SlotCopy> copies;  // for values of the next state that after_choice put elsewhere
  // In the last phase, lanes marked here restart: their next state is the initial one.
  std::optional<Slot> restart;
  // By move, if they are observed; otherwise empty.
  std::vector<Slot> legal, does;
  // Goals, valid after before_choice; empty if they have a separate program.
  std::vector<Slot> goals;
};

// A separate program for the goals of terminal states, if evaluating them at every step is too
// slow.
struct SlicedGoals {
  LaneProgram program;
  SlotMap slots;
  std::vector<ground::Atom> fluents;  // on which the goals depend
  std::vector<Slot> state;            // by such fluent
  std::vector<Slot> goals;
};

struct SlicedOptions {
  // Sets of moves of one role that are never legal together; they share a leaf of the choice tree.
  std::vector<std::vector<std::uint32_t>> exclusive_moves;
  // The backend that will run the programs.
  LaneBackend backend = default_backend();
  // Limits for compiling the programs.
  base::Limits limits = {};
  // Keeps legal and chosen moves readable after a step, for tests.
  bool observe_moves = false;
  // Keeps only the chosen moves readable, for statistics of moves.
  bool observe_chosen_moves = false;
};

class SlicedMachine {
 public:
  // Fails at a limit.
  static base::Result<std::shared_ptr<const SlicedMachine>> make(
      std::shared_ptr<const circuit::CompiledGame> compiled, const SlicedOptions& options = {});

  const ground::Game& game() const { return compiled_->game(); }
  const std::vector<SlicedPhase>& phases() const { return phases_; }
  const std::optional<SlicedGoals>& goals() const { return goals_; }
  // The fluents of the programs, and whether each holds in the initial state.
  const std::vector<ground::Atom>& live() const { return live_; }
  const std::vector<bool>& initial() const { return initial_; }
  // The role and value of each goal, ascending values within a role.
  const std::vector<circuit::GameCircuit::Goal>& goal_values() const { return goal_values_; }
  // The phase whose fixed fluents match the state; nullopt if there is none.
  std::optional<std::size_t> phase_of(const base::BitSet& state) const;
  LaneBackend backend() const { return options_.backend; }
  // The operations of all phases, without a separate program for goals.
  std::size_t operations() const;

 private:
  SlicedMachine(std::shared_ptr<const circuit::CompiledGame> compiled, const SlicedOptions& options)
      : compiled_(std::move(compiled)), options_(options) {}

  base::Result<void> within_limits() const;
  base::Result<void> build();
  base::Result<void> read_facts();
  base::Result<void> compile_phases();
  base::Result<std::vector<SlicedPhase>> compile(const circuit::Circuits& circuits,
                                                 bool with_goals) const;
  void compile_goals(const circuit::GameCircuit& whole);

  std::shared_ptr<const circuit::CompiledGame> compiled_;
  SlicedOptions options_;
  std::vector<ground::Atom> live_;
  std::vector<bool> initial_;
  std::vector<circuit::GameCircuit::Goal> goal_values_;
  std::vector<circuit::FixedFluents> fixed_;  // by phase
  std::vector<SlicedPhase> phases_;
  std::optional<SlicedGoals> goals_;
};

}  // namespace zermelo::lanes
