// One step of a game as clauses for a SAT solver: a state, one legal move per role, the next state.
#pragma once

#include <cadical.hpp>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "analysis/move_sets.h"
#include "analysis/proof_limits.h"
#include "analysis/requirements.h"
#include "ground/game.h"

namespace zermelo::analysis {

// A variable of the solver, or its negation.
using SolverLiteral = int;

// A game and the analysis of its rules, shared by many formulas.
struct StepRules {
  // At a limit the analysis is incomplete but correct.
  explicit StepRules(const ground::Game& of_game, const ProofLimits& limits = {});

  const ground::Game& game;
  MoveSets sets;
  std::vector<std::vector<ground::Literal>> required;  // by move: what holds if it is legal
  // By move: moves of a kind share the requirements that many moves of the role have.
  std::vector<std::uint32_t> kind_of;
  std::vector<std::vector<ground::Literal>> required_by_kind;
};

class StepFormula {
 public:
  // Which part of the rules becomes clauses. Omitted parts only admit more steps.
  struct Scope {
    bool all_moves = true;     // otherwise unmentioned moves are merged
    bool not_terminal = true;  // of the state before the step
    // The depth to which the conditions of legal moves are expanded.
    std::uint32_t legal_depth = ~std::uint32_t{0};
    std::size_t max_literals = 30'000'000;  // in all clauses; beyond, atoms stay undefined
  };

  // The rules, the solver and the limits must outlive this. After a limit, clauses are omitted.
  StepFormula(const StepRules& rules, const Scope& scope, CaDiCaL::Solver& solver,
              ProofLimits& limits);

  SolverLiteral new_variable() { return ++variables_; }
  void add(std::initializer_list<SolverLiteral> clause) { add_clause(clause); }
  void add(const std::vector<SolverLiteral>& clause) { add_clause(clause); }
  // Adds clauses for: if `condition` holds, at most one of the literals does.
  void add_at_most_one(const std::vector<SolverLiteral>& literals, SolverLiteral condition);

  // Returns the variable of a fluent or move; 0 if no clause mentions it.
  SolverLiteral variable(ground::Atom atom) const { return variable_of_[atom]; }
  SolverLiteral make_variable(ground::Atom atom);

  // Add clauses for: if `condition` holds, two of the fluents, or none, hold in the next state.
  void add_two_hold_next(std::span<const ground::Atom> fluents, SolverLiteral condition);
  void add_none_holds_next(std::span<const ground::Atom> fluents, SolverLiteral condition);
  // Adds that every role makes one of its legal moves. Must be called once, after all other
  // clauses.
  void add_moves();

 private:
  // A true atom needs a rule that holds; a false atom needs all rules to fail.
  enum class Side : std::uint8_t { supported, refuted };
  struct Definition {
    ground::Atom atom;
    Side side;
    std::uint32_t depth;
  };

  template <class Literals>
  void add_clause(const Literals& clause) {
    for (const SolverLiteral literal : clause) solver_.add(literal);
    solver_.add(0);
    literals_ += clause.size();
  }

  void add_moves(std::uint32_t role);
  void add_legality(std::uint32_t move);
  SolverLiteral add_move_of_kind(std::uint32_t kind);
  // Return the literal to use in a clause, and add the definitions it needs.
  SolverLiteral holds(ground::Atom atom) { return defined(atom, Side::supported); }
  SolverLiteral fails(ground::Atom atom) { return -defined(atom, Side::refuted); }
  SolverLiteral defined(ground::Atom atom, Side side);
  SolverLiteral meant(ground::Literal literal) {
    return literal.negated() ? fails(literal.atom()) : holds(literal.atom());
  }
  SolverLiteral meant_negation(ground::Literal literal) {
    return literal.negated() ? holds(literal.atom()) : fails(literal.atom());
  }
  void define_pending();
  void add_support(ground::Atom atom);
  void add_refutation(ground::Atom atom);
  std::vector<SolverLiteral> alternatives(const FactoredRules& rules);
  // Returns literals of which one holds exactly if one of the moves is made.
  std::vector<SolverLiteral> one_is_made(const std::vector<std::uint32_t>& moves);
  void add_role_moves(std::span<const std::uint32_t> moves, std::vector<SolverLiteral>& out);
  SolverLiteral none_is_made(const std::vector<std::uint32_t>& moves);

  const StepRules& rules_;
  const ground::Game& game_;
  const Scope scope_;
  CaDiCaL::Solver& solver_;
  ProofLimits& limits_;
  SolverLiteral variables_ = 0;
  std::size_t literals_ = 0;
  std::uint32_t depth_ = ~std::uint32_t{0};  // depth to which new atoms may be defined
  SolverLiteral always_;
  std::vector<SolverLiteral> variable_of_;  // by atom; 0: none yet
  std::vector<std::uint8_t> defined_;       // by atom: bits of the sides
  std::vector<Definition> pending_;
  std::map<std::vector<std::uint32_t>, SolverLiteral> none_is_made_;
};

}  // namespace zermelo::analysis
