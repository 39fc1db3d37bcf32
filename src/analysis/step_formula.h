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

// A game and what is found out about its rules once, for many formulas.
struct StepRules {
  // At a limit less is found out, none of it wrong.
  explicit StepRules(const ground::Game& of_game, const ProofLimits& limits = {});

  const ground::Game& game;
  MoveSets sets;
  std::vector<std::vector<ground::Literal>> required;  // by move: what holds when it is legal
  // By move: those of a kind require the same of what many moves of the role require.
  std::vector<std::uint32_t> kind_of;
  std::vector<std::vector<ground::Literal>> required_by_kind;
};

class StepFormula {
 public:
  // How much of the rules becomes clauses. Whatever is left out only admits more steps.
  struct Scope {
    bool all_moves = true;     // otherwise moves that nothing asks for are lumped together
    bool not_terminal = true;  // the state before the step
    // How deep the conditions of legal moves are followed.
    std::uint32_t legal_depth = ~std::uint32_t{0};
    std::size_t max_literals = 30'000'000;  // in all clauses; beyond, atoms are left undefined
  };

  // The rules, the solver and the limits must outlive this. From a limit on, clauses are left out.
  StepFormula(const StepRules& rules, const Scope& scope, CaDiCaL::Solver& solver,
              ProofLimits& limits);

  SolverLiteral new_variable() { return ++variables_; }
  void add(std::initializer_list<SolverLiteral> clause) { add_clause(clause); }
  void add(const std::vector<SolverLiteral>& clause) { add_clause(clause); }
  // The clauses of: at most one of the literals holds, if `condition` does.
  void add_at_most_one(const std::vector<SolverLiteral>& literals, SolverLiteral condition);

  // The variable of a fluent or move; 0 when it has none, since no clause mentions it.
  SolverLiteral variable(ground::Atom atom) const { return variable_of_[atom]; }
  SolverLiteral make_variable(ground::Atom atom);

  // What follows when `condition` holds: two of the fluents, or none, hold in the next state.
  void add_two_hold_next(std::span<const ground::Atom> fluents, SolverLiteral condition);
  void add_none_holds_next(std::span<const ground::Atom> fluents, SolverLiteral condition);
  // To be called once, when all of the above is said: every role makes one of its legal moves.
  void add_moves();

 private:
  // An atom that is true needs a rule that holds; an atom that is false needs all to fail.
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
  // The literal to use in a clause; what it needs to be meant is added.
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
  // Literals of which one holds exactly if one of the moves is made.
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
  std::uint32_t depth_ = ~std::uint32_t{0};  // how deep atoms met now may be defined
  SolverLiteral always_;
  std::vector<SolverLiteral> variable_of_;  // by atom; 0: none yet
  std::vector<std::uint8_t> defined_;       // by atom: bits of the sides
  std::vector<Definition> pending_;
  std::map<std::vector<std::uint32_t>, SolverLiteral> none_is_made_;
};

}  // namespace zermelo::analysis
