// The propositional engine: evaluates the ground rules of a Game over bit sets.
//
// A Machine is immutable and may be shared by threads. What a thread needs to evaluate is in its
// own Stepper, which has the interface of every engine (state_machine.h).
//
//   auto machine = std::make_shared<const Machine>(*ground::ground(rulesheet));
//   Stepper stepper(machine);
//   Stepper::State state = stepper.initial_state();
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bit_set.h"
#include "ground/game.h"
#include "machine/state_machine.h"

namespace zermelo::machine {

// The fluents that hold, by their number in the Game.
using State = base::BitSet;

class Machine {
 public:
  explicit Machine(ground::Game game);

  const ground::Game& game() const { return game_; }
  const std::vector<std::string>& roles() const { return roles_; }
  // The moves of a role, as numbers of the Game, sorted by name.
  std::span<const Move> moves(std::size_t role) const { return moves_[role]; }
  const std::string& move_name(Move move) const { return move_names_[move]; }

 private:
  ground::Game game_;
  std::vector<std::string> roles_;
  std::vector<std::string> move_names_;
  std::vector<std::vector<Move>> moves_;
};

class Stepper {
 public:
  using State = machine::State;

  explicit Stepper(std::shared_ptr<const Machine> machine);

  const Machine& machine() const { return *machine_; }
  const std::vector<std::string>& roles() const { return machine_->roles(); }
  State initial_state() const;
  std::vector<Move> legal_moves(const State& state, std::size_t role);
  // One move per role. Moves need not be legal.
  State next_state(const State& state, std::span<const Move> joint);
  bool terminal(const State& state);
  std::vector<int> goals(const State& state, std::size_t role);

  const std::string& move_name(Move move) const { return machine_->move_name(move); }
  std::vector<std::string> fluent_names(const State& state) const;

 private:
  void enter(const State& state);
  void evaluate(ground::Atom first, ground::Atom last);
  void evaluate_component(ground::Game::Component component);
  bool derivable(ground::Atom atom) const;
  bool satisfied(ground::RuleIndex rule) const;
  bool holds(ground::Atom atom) const { return atom != ground::no_atom && values_[atom] != 0; }

  std::shared_ptr<const Machine> machine_;
  const ground::Game& game_;
  std::vector<std::uint8_t> values_;  // by atom
  std::optional<State> entered_;
};

}  // namespace zermelo::machine
