// Derived atoms of a phase as conditions on the variables: rules are evaluated bottom-up, recursive
// components by least fixpoints, and moves are fixed one joint move at a time.
//
//   RuleConditions rules(program, encoding, conditions);
//   auto terminal = rules.of(game.terminal);
//   rules.make({3, 17});
//   auto next = rules.next(fluent);
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dd/conditions.h"
#include "symbolic/encoding.h"
#include "symbolic/phase_program.h"

namespace zermelo::symbolic {

class RuleConditions {
 public:
  using Id = dd::Conditions::Id;

  // All three must outlive this.
  RuleConditions(const PhaseProgram& program, const Encoding& encoding, dd::Conditions& conditions);

  // From now on, atoms with one of these conditions are assumed to be false.
  void assume_false(std::vector<Id> conditions) { assumed_false_ = std::move(conditions); }

  // The condition of an atom that does not depend on the moves. no_atom never holds.
  base::Result<Id> of(ground::Atom atom);
  // Conditions whose disjunction is that of the atom: those of the atoms that imply it on their
  // own, recursively. Rules of one atom that take more than `max_nodes` nodes together stay
  // separate.
  base::Result<std::vector<Id>> disjuncts(ground::Atom atom, std::size_t max_nodes);

  // Fixes the moves, one per role. Recomputes what depends on them.
  base::Result<void> make(std::span<const std::uint32_t> joint);
  // The condition under which a fluent holds in the next state, after the moves made last.
  base::Result<Id> next(ground::Atom fluent);
  // The fluents whose next values may differ from those without moves.
  const std::vector<ground::Atom>& moved() const { return moved_; }

 private:
  struct Unit {  // an atom, or a recursive component
    ground::Atom first, last;
  };

  Unit unit_of(ground::Atom atom) const;
  base::Result<Id> literal(ground::Literal literal);
  base::Result<Id> body(ground::Atom atom, std::size_t rule);
  base::Result<Id> rules(ground::Atom atom);
  void sort_upwards(std::vector<Id>& conditions) const;
  base::Result<Id> either(std::vector<Id> conditions);
  base::Result<std::vector<Id>> any_of(std::vector<Id> conditions, std::size_t max_nodes);
  base::Result<void> evaluate(Unit unit);
  base::Result<void> ensure(ground::Atom root);
  void index_dependents();
  void unmake();  // restores the values without moves
  void set(ground::Atom atom, Id value);

  const PhaseProgram& program_;
  const Encoding& encoding_;
  dd::Conditions& conditions_;
  std::vector<std::optional<Id>> values_;  // by atom
  std::vector<Id> assumed_false_;

  bool is_indexed_ = false;
  std::vector<std::vector<ground::Atom>> dependents_;  // by atom, on what depends on the moves
  std::vector<ground::Atom> fluent_of_next_;           // by atom after the moves, or no_atom
  std::vector<std::pair<ground::Atom, std::optional<Id>>> undo_;
  std::vector<ground::Atom> moved_;
};

}  // namespace zermelo::symbolic
