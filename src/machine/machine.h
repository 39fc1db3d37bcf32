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
  friend class Stepper;
  using Level = std::uint32_t;
  static constexpr std::uint32_t no_component = ~std::uint32_t{0};

  void name_moves();
  void find_heads_and_components();
  void find_levels();
  Level level_above(ground::Atom first, ground::Atom last, Level least) const;
  void watch();
  std::optional<ground::Atom> watched_atom(ground::RuleIndex rule,
                                           const std::vector<std::uint32_t>& occurrences) const;
  std::span<const ground::RuleIndex> watchers(ground::Atom atom) const {
    return {watchers_.data() + first_watcher_[atom], watchers_.data() + first_watcher_[atom + 1]};
  }

  ground::Game game_;
  std::vector<std::string> roles_;
  std::vector<std::string> move_names_;
  std::vector<std::vector<Move>> moves_;
  std::vector<ground::Atom> heads_;          // by rule
  std::vector<std::uint32_t> component_of_;  // by atom
  std::vector<Level> levels_;                // by atom
  Level last_state_level_ = 0;
  Level last_level_ = 0;
  std::vector<std::uint32_t> first_watcher_;  // by atom, one more at the end
  std::vector<ground::RuleIndex> watchers_;   // rules that cannot hold unless the atom does
  std::vector<ground::RuleIndex> unwatched_;  // rules without a positive literal
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
  void leave();
  void evaluate(Machine::Level first, Machine::Level last);
  void evaluate_component(std::uint32_t component);
  void set(ground::Atom atom);
  void announce(ground::Atom atom);
  void undo_to(std::size_t trail_size);
  bool derivable(ground::Atom atom) const;
  bool satisfied(ground::RuleIndex rule) const;
  bool holds(ground::Atom atom) const { return atom != ground::no_atom && values_[atom] != 0; }

  std::shared_ptr<const Machine> machine_;
  const ground::Game& game_;
  std::vector<std::uint8_t> values_;                     // by atom
  std::vector<ground::Atom> trail_;                      // the atoms that hold
  std::vector<std::vector<ground::RuleIndex>> pending_;  // by level: rules that may hold
  std::vector<std::size_t> pending_in_state_;            // their number before any move
  std::vector<std::uint64_t> evaluated_;  // by component: the pass that evaluated it last
  std::uint64_t passes_ = 0;
  std::optional<State> entered_;
};

}  // namespace zermelo::machine
