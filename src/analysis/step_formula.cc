// The clauses are the completion of the ground rules: an atom holds exactly if the body of one of
// its rules does. Every real step of the game satisfies them, which is all that a proof by
// refutation needs: if the clauses and a violation contradict each other, no step violates. They
// admit more than the real steps in two ways, and so may only lose proofs, never make a wrong one.
// Recursive components may have models that support themselves in a circle, larger than the least
// fixpoint, since completion is weaker than the least fixpoint but implied by it. And the state is
// any state, reachable or not, that satisfies what the caller assumes.
//
// As in Plaisted and Greenbaum's variant of Tseitin's transformation, only the half of an atom's
// definition is added that its uses need: where an atom is used as true, "it has a rule whose body
// holds", where it is used as false, "all bodies fail". Atoms that nothing asks for have no
// variable. "At most one" of many uses a chain of auxiliary variables, "some of the first i
// literals holds" (Sinz's sequential counter), which propagates as well as all pairs would.

#include "analysis/step_formula.h"

#include <algorithm>

namespace zermelo::analysis {

using ground::Atom;
using ground::Literal;
using ground::RuleIndex;

namespace {

// Up to this many literals all pairs are the shorter way to say "at most one".
constexpr std::size_t most_for_pairs = 5;

}  // namespace

StepFormula::StepFormula(const ground::Game& game, bool past_terminal, CaDiCaL::Solver& solver)
    : game_(game),
      solver_(solver),
      always_(new_variable()),
      variable_of_(game.atoms),
      defined_(game.atoms) {
  add({always_});
  for (Atom fluent = 0; fluent < game.fluents.size(); ++fluent) variable(fluent);
  for (std::uint32_t role = 0; role < game.roles.size(); ++role) add_moves(role);
  if (!past_terminal && game.terminal != ground::no_atom) add({fails(game.terminal)});
  define_pending();
}

void StepFormula::add(std::initializer_list<SolverLiteral> clause) {
  for (const SolverLiteral literal : clause) solver_.add(literal);
  solver_.add(0);
}

void StepFormula::add(const std::vector<SolverLiteral>& clause) {
  for (const SolverLiteral literal : clause) solver_.add(literal);
  solver_.add(0);
}

SolverLiteral StepFormula::variable(Atom atom) {
  if (variable_of_[atom] == 0) variable_of_[atom] = new_variable();
  return variable_of_[atom];
}

void StepFormula::add_at_most_one(const std::vector<SolverLiteral>& literals,
                                  SolverLiteral condition) {
  if (literals.size() <= most_for_pairs) {
    for (std::size_t i = 0; i < literals.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) add({-condition, -literals[i], -literals[j]});
    }
    return;
  }
  SolverLiteral before = literals.front();
  for (std::size_t i = 1; i < literals.size(); ++i) {
    add({-condition, -before, -literals[i]});
    const SolverLiteral so_far = new_variable();
    add({-before, so_far});
    add({-literals[i], so_far});
    before = so_far;
  }
}

void StepFormula::add_two_hold_next(std::span<const Atom> fluents, SolverLiteral condition) {
  std::vector<SolverLiteral> second{-condition};
  SolverLiteral before = -always_;
  for (const Atom fluent : fluents) {
    if (game_.next[fluent] == ground::no_atom) continue;
    const SolverLiteral next = holds(game_.next[fluent]);
    const SolverLiteral is_second = new_variable();
    add({-is_second, next});
    add({-is_second, before});
    second.push_back(is_second);
    const SolverLiteral so_far = new_variable();
    add({-so_far, before, next});
    before = so_far;
  }
  add(second);
  define_pending();
}

void StepFormula::add_none_holds_next(std::span<const Atom> fluents, SolverLiteral condition) {
  for (const Atom fluent : fluents) {
    if (game_.next[fluent] != ground::no_atom) add({-condition, fails(game_.next[fluent])});
  }
  define_pending();
}

void StepFormula::add_moves(std::uint32_t role) {
  std::vector<SolverLiteral> moves;
  for (std::uint32_t m = game_.first_move_of[role]; m < game_.first_move_of[role + 1]; ++m) {
    if (game_.legal[m] == ground::no_atom) {
      add({-variable(game_.does(m))});
      continue;
    }
    moves.push_back(variable(game_.does(m)));
    add({-moves.back(), holds(game_.legal[m])});
  }
  add(moves);
  add_at_most_one(moves, always_);
}

SolverLiteral StepFormula::defined(Atom atom, Side side) {
  const std::uint8_t bit = side == Side::supported ? 1 : 2;
  if (atom >= game_.first_derived && !(defined_[atom] & bit)) {
    defined_[atom] |= bit;
    pending_.push_back({atom, side});
  }
  return variable(atom);
}

SolverLiteral StepFormula::assumed(Literal literal) {
  return literal.negated() ? fails(literal.atom()) : holds(literal.atom());
}

void StepFormula::define_pending() {
  while (!pending_.empty()) {
    const Definition next = pending_.back();
    pending_.pop_back();
    next.side == Side::supported ? add_support(next.atom) : add_refutation(next.atom);
  }
}

void StepFormula::add_support(Atom atom) {
  const RuleIndex first = game_.rules_begin(atom), last = game_.rules_end(atom);
  if (last == first + 1) {
    for (const Literal literal : game_.body(first)) add({-variable(atom), assumed(literal)});
    return;
  }
  std::vector<SolverLiteral> clause{-variable(atom)};
  for (RuleIndex rule = first; rule < last; ++rule) clause.push_back(body_holds(rule));
  add(clause);
}

SolverLiteral StepFormula::body_holds(RuleIndex rule) {
  const auto body = game_.body(rule);
  if (body.size() == 1) return assumed(body.front());
  const SolverLiteral all = new_variable();
  for (const Literal literal : body) add({-all, assumed(literal)});
  return all;
}

void StepFormula::add_refutation(Atom atom) {
  std::vector<SolverLiteral> clause;
  for (RuleIndex rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
    clause.assign(1, variable(atom));
    for (const Literal literal : game_.body(rule)) {
      clause.push_back(assumed(Literal(literal.atom(), !literal.negated())));
    }
    add(clause);
  }
}

}  // namespace zermelo::analysis
