// Necessary conditions on the state for a move to be legal, as far as the rules show them directly.
//
// A state is seen as variables: each mutex group is a variable with a value per fluent and possibly
// one for "none", and every other fluent is a variable with the values true and false. A
// Requirement restricts each variable to some of its values, independently of the others. Every
// state in which the move is legal satisfies it.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/mutex_groups.h"
#include "analysis/proof_limits.h"
#include "ground/game.h"

namespace zermelo::analysis {

// The allowed values of a variable, as bits; value v is bit v modulo 64.
struct Allowed {
  std::uint32_t variable;
  std::uint64_t values;
  bool operator==(const Allowed&) const = default;
};

// Sorted by variable; only variables that are restricted.
struct Requirement {
  bool possible = true;
  std::vector<Allowed> allowed;
};

class Requirements {
 public:
  // At a limit, the rest counts as unrestricted.
  explicit Requirements(const ground::Game& game, const std::vector<MutexGroup>& groups = {},
                        ProofLimits limits = {});

  // Returns, by move, the requirement for it to be legal.
  const std::vector<Requirement>& of_moves() const { return of_moves_; }
  // Returns the requirement of a move as literals, for a game without groups.
  std::vector<ground::Literal> literals(std::uint32_t move) const;

 private:
  struct VariableValue {
    std::uint32_t variable;
    std::uint32_t value;
  };

  void number_values(const std::vector<MutexGroup>& groups);
  std::vector<bool> conditions_of_moves() const;
  void derive(ground::Atom atom);
  Requirement of_literal(ground::Literal literal) const;
  Requirement of_fluent(ground::Literal literal) const;
  Requirement of_body(ground::RuleIndex rule) const;
  Requirement of_failed_body(ground::RuleIndex rule) const;
  void widen(Requirement& requirement, const Requirement& other) const;

  const ground::Game& game_;
  ProofLimits limits_;
  std::vector<VariableValue> place_of_;     // by fluent
  std::vector<std::uint64_t> all_values_;   // by variable
  std::vector<std::uint32_t> value_count_;  // by variable
  std::vector<ground::Atom> true_value_;    // by variable: the fluent of its value 0
  std::vector<Requirement> holds_, fails_;  // by atom that depends on the state alone
  std::vector<Requirement> of_moves_;
};

}  // namespace zermelo::analysis
