// A game compiled for bit-sliced random play: programs over lanes, one per phase.
//
// A fluent whose next value depends on neither moves nor other kinds of fluents runs by itself.
// Those that come back to their start after a few steps (whose turn it is) are constants in the
// program of each phase. A step of a phase runs `before_choice` (what is legal, is it over), draws
// a number for every choice, and runs `after_choice` (which move each role makes, the next state).
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
#include "lanes/lane_executor.h"

namespace zermelo::lanes {

// A number to be drawn in every lane: uniformly below `count`, into `number`; `possible` is set
// where the count is not zero.
struct Draw {
  std::vector<Slot> count;
  std::vector<Slot> number;
  Slot possible;
};

struct SlotCopy {
  Slot from, to;
};

// All phases share a frame: its first slots are the state of each phase, then come the constants,
// the rest is used by every phase anew.
struct SlicedPhase {
  LaneProgram before_choice;
  LaneProgram after_choice;
  SlotMap slots;
  std::vector<Draw> draws;
  std::vector<Slot> forced;  // legal bits of the only possible move of a role
  Slot terminal = 0;
  std::vector<Slot> state;       // by live fluent, read by before_choice
  std::vector<Slot> fluents;     // by fluent of the game: its state slot, or that of a constant
  std::vector<SlotCopy> copies;  // after after_choice: what of the next state is not in its place
  // In the last phase lanes marked here start anew: their next state is the initial one.
  std::optional<Slot> restart;
  // By move, when they are observed.
  std::vector<Slot> legal, does;
  // Goals right after before_choice; empty when they have a program of their own.
  std::vector<Slot> goals;
};

// Goals of states that ended, where evaluating them at every step would cost too much.
struct SlicedGoals {
  LaneProgram program;
  SlotMap slots;
  std::vector<ground::Atom> fluents;  // that the goals depend on
  std::vector<Slot> state;            // of those
  std::vector<Slot> goals;
};

struct SlicedOptions {
  // Sets of moves of one role that are never legal together; they share a leaf of the choice tree.
  std::vector<std::vector<std::uint32_t>> exclusive_moves;
  // What is going to run the programs.
  LaneBackend backend = default_backend();
  // Time and memory for making the programs.
  base::Limits limits = {};
  // Keeps legal and chosen moves readable after a step, for tests.
  bool observe_moves = false;
};

class SlicedMachine {
 public:
  // Fails at a limit.
  static base::Result<std::shared_ptr<const SlicedMachine>> make(
      std::shared_ptr<const circuit::CompiledGame> compiled, const SlicedOptions& options = {});

  const ground::Game& game() const { return compiled_->game(); }
  const std::vector<SlicedPhase>& phases() const { return phases_; }
  const std::optional<SlicedGoals>& goals() const { return goals_; }
  // Fluents that the programs keep, and whether each holds at the start.
  const std::vector<ground::Atom>& live() const { return live_; }
  const std::vector<bool>& initial() const { return initial_; }
  // The role and value of each goal, ascending values within a role.
  const std::vector<circuit::GameCircuit::Goal>& goal_values() const { return goal_values_; }
  // The phase in which a state can be, by what runs by itself; nothing for a state in none.
  std::optional<std::size_t> phase_of(const base::BitSet& state) const;
  LaneBackend backend() const { return options_.backend; }
  // Operations of all phases together, goals of their own not counted.
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
