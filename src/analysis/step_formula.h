// One step of a game as clauses for a SAT solver: a state, one legal move per role, the next state.
#pragma once

#include <cadical.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "ground/game.h"

namespace zermelo::analysis {

// A variable of the solver, or its negation.
using SolverLiteral = int;

class StepFormula {
 public:
  // With `past_terminal` the state may be terminal. The solver must outlive this.
  StepFormula(const ground::Game& game, bool past_terminal, CaDiCaL::Solver& solver);

  SolverLiteral new_variable() { return ++variables_; }
  void add(std::initializer_list<SolverLiteral> clause);
  void add(const std::vector<SolverLiteral>& clause);

  // A fluent or a move of the step; or any other atom once it is defined.
  SolverLiteral variable(ground::Atom atom);
  // The clauses of: at most one of the literals holds, if `condition` does.
  void add_at_most_one(const std::vector<SolverLiteral>& literals, SolverLiteral condition);

  // The formulas below say what follows when `condition` holds, and nothing when it does not.
  void add_two_hold_next(std::span<const ground::Atom> fluents, SolverLiteral condition);
  void add_none_holds_next(std::span<const ground::Atom> fluents, SolverLiteral condition);

 private:
  // An atom that is true needs a rule that holds; an atom that is false needs all to fail.
  enum class Side : std::uint8_t { supported, refuted };
  struct Definition {
    ground::Atom atom;
    Side side;
  };

  void add_moves(std::uint32_t role);
  // Literals that can be used in a clause as conditions: the atom's definition is added.
  SolverLiteral holds(ground::Atom atom) { return defined(atom, Side::supported); }
  SolverLiteral fails(ground::Atom atom) { return -defined(atom, Side::refuted); }
  SolverLiteral defined(ground::Atom atom, Side side);
  SolverLiteral assumed(ground::Literal literal);
  void define_pending();
  void add_support(ground::Atom atom);
  void add_refutation(ground::Atom atom);
  SolverLiteral body_holds(ground::RuleIndex rule);

  const ground::Game& game_;
  CaDiCaL::Solver& solver_;
  SolverLiteral variables_ = 0;
  SolverLiteral always_;
  std::vector<SolverLiteral> variable_of_;  // by atom; 0: none yet
  std::vector<std::uint8_t> defined_;       // by atom: bits of the sides
  std::vector<Definition> pending_;
};

}  // namespace zermelo::analysis
