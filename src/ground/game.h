// The propositional game: the result of grounding, and the input of all later stages.
//
// Atoms are dense small integers. They are numbered so that one pass in ascending order evaluates
// all rules:
//
//   [0, fluents)                      the fluents: true(f) in the current state
//   [fluents, first_derived)          the moves: does(role, move), grouped by role
//   [first_derived, first_after_does) derived atoms that depend only on the state
//   [first_after_does, atoms)         derived atoms that also depend on the moves
//
// A derived atom holds if the body of one of its rules holds. It depends only on smaller atoms,
// except within a recursive component. Such a component is a range of atoms that is evaluated to
// its least fixpoint, starting from all false; its rules never negate atoms of the component
// itself. A rule with an empty body is a fact. Atoms that can never hold are not numbered.
//
// In GDL-II, the atoms of percepts and those that only percepts depend on are among the derived
// atoms.
//
//   const Game& game = *ground(rulesheet, {});
//   for (Atom a = game.first_derived; a < game.atoms; ++a)
//     for (RuleIndex r = game.rules_begin(a); r < game.rules_end(a); ++r)
//       for (Literal l : game.body(r)) ...
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gdl/rulesheet.h"

namespace zermelo::ground {

using Atom = std::uint32_t;
using RuleIndex = std::uint32_t;
inline constexpr Atom no_atom = ~Atom{0};

// An atom or its negation.
class Literal {
 public:
  Literal() = default;
  Literal(Atom atom, bool negated) : code_(atom << 1 | static_cast<Atom>(negated)) {}
  Atom atom() const { return code_ >> 1; }
  bool negated() const { return code_ & 1; }
  bool operator==(const Literal&) const = default;
  auto operator<=>(const Literal&) const = default;

 private:
  Atom code_ = 0;
};

struct Game {
  struct Move {
    std::uint32_t role;
    gdl::Term term;
  };
  struct Goal {
    int value;
    Atom atom;
  };
  // What a role may see after a joint move (GDL-II). The atom may depend on the moves.
  struct Percept {
    std::uint32_t role;
    gdl::Term term;
    Atom atom;
  };
  // Atoms [first, last) that depend on each other.
  struct Component {
    Atom first;
    Atom last;
  };

  std::shared_ptr<const gdl::Rulesheet> rulesheet;  // holds the symbols of all names below

  std::vector<gdl::Symbol> roles;
  std::vector<gdl::Term> fluents;            // by atom
  std::vector<Move> moves;                   // move m is atom fluents.size() + m
  std::vector<std::uint32_t> first_move_of;  // by role; one more entry at the end

  Atom first_derived = 0;
  Atom first_after_does = 0;
  Atom atoms = 0;
  std::vector<Component> recursive;  // ascending

  std::vector<RuleIndex> first_rule_of;  // by derived atom, from first_derived; one more at the end
  std::vector<std::uint64_t> first_literal_of;  // by rule; one more at the end
  std::vector<Literal> literals;

  std::vector<Atom> initial;             // the fluents that hold at the start, ascending
  std::vector<Atom> next;                // by fluent; no_atom if it can hold only at the start
  std::vector<Atom> legal;               // by move
  std::vector<std::vector<Goal>> goals;  // by role, ascending values
  Atom terminal = no_atom;               // no_atom if no state can be terminal
  std::vector<Percept> percepts;         // grouped by role, sorted by name; none of `random`
  std::vector<std::uint32_t> first_percept_of;  // by role; one more entry at the end

  std::size_t rules() const { return first_literal_of.size() - 1; }
  RuleIndex rules_begin(Atom derived) const { return first_rule_of[derived - first_derived]; }
  RuleIndex rules_end(Atom derived) const { return first_rule_of[derived - first_derived + 1]; }
  std::span<const Literal> body(RuleIndex rule) const {
    return {literals.data() + first_literal_of[rule], literals.data() + first_literal_of[rule + 1]};
  }

  // True for the role that nobody plays: it chooses uniformly among its legal moves (GDL-II).
  bool is_random(std::uint32_t role) const { return roles[role] == gdl::keyword::random; }
  std::optional<std::uint32_t> random_role() const;
  // Chance, percepts, or both: the rules are GDL-II.
  bool imperfect_information() const { return !percepts.empty() || random_role().has_value(); }

  Atom does(std::uint32_t move) const { return static_cast<Atom>(fluents.size()) + move; }
  std::string role_name(std::uint32_t role) const;
  std::string fluent_name(Atom fluent) const;
  std::vector<std::string> fluent_names() const;  // by fluent
  std::unordered_map<std::string, Atom> fluents_by_name() const;
  std::string move_name(std::uint32_t move) const;
  std::string percept_name(std::uint32_t percept) const;
};

}  // namespace zermelo::ground
