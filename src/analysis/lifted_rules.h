// The rules with their variables: unification, unfolding of atoms, and queries whose answers are
// the ground instances of conditions.
//
//   LiftedRules rules(*game.rulesheet);
//   for (const auto& clause : rules.unfold(atom)) ...      // how the atom can hold
//   const auto query = rules.add_query(conditions, {x, y});
//   const auto answers = rules.ground(limits);             // of all queries
//   for (const auto& instance : answers->instances[query]) ...
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "ground/game.h"

namespace zermelo::analysis {

// Terms by the symbols of variables.
using Substitution = std::map<gdl::Symbol, gdl::Term>;

// Extends the substitution so that the terms become equal; returns false if that is impossible.
bool unify(const gdl::Term& a, const gdl::Term& b, Substitution& substitution);
gdl::Term substituted(const gdl::Term& term, const Substitution& substitution);
gdl::Formula substituted(const gdl::Formula& formula, const Substitution& substitution);
std::vector<gdl::Formula> substituted(const std::vector<gdl::Formula>& formulas,
                                      const Substitution& substitution);
// The variables, in the order of their symbols.
std::set<gdl::Symbol> variables_of(const gdl::Term& term);
std::set<gdl::Symbol> variables_of(const gdl::Formula& formula);
std::set<gdl::Symbol> variables_of(const std::vector<gdl::Formula>& formulas);
// A ground instance of a term with variables.
bool matches(const gdl::Term& pattern, const gdl::Term& ground);
// The fluent in true(...), or null.
const gdl::Term* fluent_in(const gdl::Formula& formula);

class LiftedRules {
 public:
  struct Unfolding {
    Substitution bindings;  // of the variables of the atom
    std::vector<gdl::Formula> body;
  };
  using Query = std::uint32_t;
  struct Instance {
    std::vector<gdl::Term> values;  // of the query's variables
    ground::Atom atom;              // that holds if the conditions do
  };
  struct Answers {
    ground::Game game;                             // the game and the queries
    std::vector<std::uint32_t> fluent_of;          // by fluent of this game: its number in the
                                                   // original one, or no_atom
    std::vector<std::vector<Instance>> instances;  // by query
  };

  // The symbols of the game's rulesheet keep their meaning.
  explicit LiftedRules(const ground::Game& game);

  // Whether the atoms of a predicate depend on neither the state nor the moves.
  bool is_static(const gdl::Term& atom) const { return !dynamic_.contains(gdl::signature(atom)); }
  // Whether the predicate depends on itself.
  bool is_recursive(const gdl::Term& atom) const {
    return recursive_.contains(gdl::signature(atom));
  }
  // The clauses of a predicate, by index.
  const std::vector<std::size_t>& clauses_of(const gdl::Term& atom) const;
  const gdl::Clause& clause(std::size_t index) const { return rules_.clauses[index]; }
  std::size_t clauses() const { return original_clauses_; }
  // How the clauses of an atom's predicate can make it true, each with variables of its own.
  std::vector<Unfolding> unfold(const gdl::Term& atom);
  // The clause with variables of its own.
  gdl::Clause renamed(const gdl::Clause& clause);

  const gdl::SymbolTable& symbols() const { return rules_.symbols; }
  gdl::Term fresh_variable();
  std::string text(const gdl::Formula& formula) const;
  std::string text(const std::vector<gdl::Formula>& formulas) const;

  // The conditions must not mention moves, and bind their variables as the body of a rule does.
  Query add_query(std::vector<gdl::Formula> conditions, const std::set<gdl::Symbol>& variables);
  // Grounds the rules with all queries. Fails at a limit. Must be called last, once.
  base::Result<Answers> ground(const base::Limits& limits);

 private:
  const ground::Game& game_;
  gdl::Rulesheet rules_;
  std::size_t original_clauses_ = 0;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> clauses_of_;  // by signature
  std::unordered_set<std::uint64_t> dynamic_, recursive_;                   // signatures
  gdl::Symbol query_name_{};
  std::uint32_t fresh_ = 0;
  Query queries_ = 0;
};

}  // namespace zermelo::analysis
