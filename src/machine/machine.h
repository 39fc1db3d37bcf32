// The propositional engine: it steps one state at a time and recomputes only what a move changes.
//
// A Machine is immutable and may be shared by threads. Each thread has its own Cursor, a position
// in the game that makes and unmakes moves, or its own Stepper, which has the interface of every
// engine (state_machine.h) and accepts states in any order.
//
//   auto machine = std::make_shared<const Machine>(*ground::ground(rulesheet));
//   Cursor cursor(machine);
//   while (!cursor.terminal()) cursor.make(choose(cursor.legal(0), ...));
//   while (cursor.depth() > 0) cursor.unmake();
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bit_set.h"
#include "base/limits.h"
#include "base/state_machine.h"
#include "circuit/compiled_game.h"
#include "ground/game.h"
#include "machine/single_context.h"
#include "machine/step_program.h"

namespace zermelo::machine {

using base::Move;

// The fluents that hold, by their number in the Game.
using State = base::BitSet;

class Machine {
 public:
  explicit Machine(ground::Game game);
  // Fail at a limit.
  static base::Result<std::shared_ptr<const Machine>> make(
      std::shared_ptr<const circuit::CompiledGame> compiled, const base::Limits& limits);
  static base::Result<std::shared_ptr<const Machine>> make(ground::Game game,
                                                           const base::Limits& limits);

  const ground::Game& game() const { return compiled_->game(); }
  // The compiled parts of the game, for users that need more of them.
  const std::shared_ptr<const circuit::CompiledGame>& compiled() const { return compiled_; }
  const std::vector<std::string>& roles() const { return roles_; }
  // The moves of a role, as numbers of the Game, sorted by name.
  std::span<const Move> moves(std::size_t role) const { return moves_[role]; }
  const std::string& move_name(Move move) const { return move_names_[move]; }

  // For states in which the autonomous fluents have the values of some phase.
  const StepProgram& program() const { return program_; }
  // For every state. The same program if there are no phases; otherwise compiled on first use.
  const StepProgram& general_program() const;
  // What the roles see (GDL-II); compiled on first use.
  const StepProgram& percept_program() const;

 private:
  explicit Machine(std::shared_ptr<const circuit::CompiledGame> compiled);  // no program yet

  void name_moves();
  base::Result<void> make_program(const base::Limits& limits);
  StepProgram program_without_phases(const circuit::CircuitPointer& whole,
                                     const base::Limits& limits) const;

  std::shared_ptr<const circuit::CompiledGame> compiled_;
  std::vector<std::string> roles_;
  std::vector<std::string> move_names_;
  std::vector<std::vector<Move>> moves_;
  std::vector<std::uint32_t> rank_of_move_;
  StepProgram program_;
  bool has_phases_ = false;  // some fluents are fixed by phase
  mutable std::once_flag general_is_made_;
  mutable StepProgram general_program_;
  mutable std::once_flag percepts_are_made_;
  mutable StepProgram percept_program_;
};

// A position in the game. Moves allocate nothing except for the growing history.
class Cursor {
 public:
  // Starts at the initial state.
  explicit Cursor(std::shared_ptr<const Machine> machine);

  const Machine& machine() const { return *machine_; }
  // Goes to any state and clears the history.
  void reset(const State& state);
  // Moves are sorted by name; valid until the next call for the same role.
  std::span<const Move> legal(std::size_t role);
  bool terminal() const { return context().bit(phase().terminal); }
  // Ascending; usually one.
  std::vector<int> goals(std::size_t role) const;
  // One legal move per role.
  void make(std::span<const Move> joint);
  // Takes back the last make; depth() must not be 0.
  void unmake();
  // The number of moves since the last reset that were not unmade.
  std::size_t depth() const { return first_flip_.size(); }
  State state() const;
  bool is_at(const State& state) const;

 private:
  SingleContext& context() { return is_general_ ? *general_context_ : context_; }
  const SingleContext& context() const { return is_general_ ? *general_context_ : context_; }
  const StepPhase& phase() const { return context().program().phases[phase_]; }
  void choose_phase(const State& state);
  void flip_does(std::span<const Move> joint);
  void flip_from(std::size_t first);

  std::shared_ptr<const Machine> machine_;
  SingleContext context_;
  std::optional<SingleContext> general_context_;  // created for the first state of no phase
  bool is_general_ = false;
  std::size_t phase_ = 0;
  std::vector<ground::Atom> flips_;       // fluents changed by all moves in the history
  std::vector<std::size_t> first_flip_;   // by move in the history
  std::vector<std::vector<Move>> legal_;  // by role, room for all its moves
};

// Percepts of GDL-II: what each role sees after a joint move in a state.
class PerceptReader {
 public:
  // Starts at the initial state.
  explicit PerceptReader(std::shared_ptr<const Machine> machine);

  // Goes to any state.
  void reset(const State& state);
  // The percepts of all roles, as numbers of the Game, after one legal move per role.
  base::BitSet read(std::span<const Move> joint);

 private:
  void flip_does(std::span<const Move> joint);

  std::shared_ptr<const Machine> machine_;
  SingleContext context_;
};

class Stepper {
 public:
  using State = machine::State;

  explicit Stepper(std::shared_ptr<const Machine> machine);

  const Machine& machine() const { return cursor_.machine(); }
  const std::vector<std::string>& roles() const { return machine().roles(); }
  State initial_state() const;
  std::vector<Move> legal_moves(const State& state, std::size_t role);
  // One legal move per role.
  State next_state(const State& state, std::span<const Move> joint);
  bool terminal(const State& state);
  std::vector<int> goals(const State& state, std::size_t role);
  // One legal move per role.
  std::vector<base::Percept> percepts(const State& state, std::span<const Move> joint,
                                      std::size_t role);

  const std::string& move_name(Move move) const { return machine().move_name(move); }
  std::string percept_name(base::Percept percept) const {
    return machine().game().percept_name(percept);
  }
  std::vector<std::string> fluent_names(const State& state) const;

 private:
  void enter(const State& state);

  Cursor cursor_;
  std::optional<PerceptReader> percept_reader_;  // created for the first question
  std::shared_ptr<const Machine> machine_;
};

}  // namespace zermelo::machine
