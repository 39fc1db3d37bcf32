// The rules for the next values of fluents in the form in which proofs compare them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/step_formula.h"

namespace zermelo::analysis {

class ExpandedRules {
 public:
  using Literals = std::vector<ground::Literal>;  // ascending, so that fluents come first
  using Moves = std::vector<std::uint32_t>;       // ascending

  // Moves of a role with common requirements.
  struct Kind {
    std::uint32_t role, number;
    auto operator<=>(const Kind&) const = default;
  };

  // Rules for the next value of a fluent that differ only in the move.
  struct Rules {
    Literals rest;
    Moves moves;              // one of these is made; empty: any
    Moves forbidden;          // none of these is made
    std::vector<Kind> kinds;  // of `moves`, ascending; none where there is one role
  };

  // The rules must outlive this. At a limit, no further fluent has rules.
  explicit ExpandedRules(const StepRules& rules, const ProofLimits& limits = {});

  // The rules for the next value of a fluent, with conditions on moves expanded; nullopt if they
  // would be too large. They are made when they are first asked for, and stay where they are.
  const std::optional<std::vector<Rules>>& of(ground::Atom fluent);
  // What holds if a move, or any move of a kind, is legal.
  const Literals& required(std::uint32_t move) const { return required_[move]; }
  const Literals& required(const Kind& kind) const { return required_by_kind_[kind.number]; }
  const ground::Game& game() const { return game_; }

 private:
  void add_rules(ground::Atom atom, const Literals& context, std::vector<Rules>& out);
  std::vector<Kind> kinds_of(const Moves& moves) const;
  Moves forbidden_by(const Literals& literals) const;
  Literals with_implied(Literals literals) const;
  Literals common_literals(ground::Atom atom) const;

  ProofLimits limits_;
  const StepRules& rules_;
  const ground::Game& game_;
  std::vector<Literals> required_;  // by move
  std::vector<Literals> required_by_kind_;
  std::vector<std::optional<std::vector<Rules>>> rules_of_;  // by fluent
  std::vector<bool> is_made_;                                // by fluent: it was asked for
  std::size_t written_ = 0;                                  // literals and moves in rules_of_
};

}  // namespace zermelo::analysis
