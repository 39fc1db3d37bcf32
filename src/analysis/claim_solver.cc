#include "analysis/claim_solver.h"

#include <utility>

namespace zermelo::analysis {

using ground::Atom;

ClaimSolver::Solver::Solver() {
  set("quiet", 1);
  set("lucky", 0);
  set("walk", 0);
  // Disables chronological backtracking. The solver checks its terminator, and counts conflicts,
  // only when a propagation ends without a conflict. Backtracking one level at a time, it could
  // meet a conflict on each of thousands of levels before that: minutes in large games.
  set("chrono", 0);
}

ClaimSolver::ClaimSolver(const StepRules& rules, const StepFormula::Scope& scope,
                         ProofLimits& limits)
    : terminator_(limits), formula_(rules, scope, solver_, limits) {
  solver_.connect_terminator(&terminator_);
}

SolverLiteral ClaimSolver::add_violation(const Claim& claim) {
  const SolverLiteral violation = formula_.new_variable();
  if (claim.kind == Claim::Kind::at_most_one) {
    formula_.add_two_hold_next(claim.fluents, violation);
  } else {
    formula_.add_none_holds_next(claim.fluents, violation);
  }
  return violation;
}

SolverLiteral ClaimSolver::add_claim(const Claim& claim) {
  std::vector<SolverLiteral> now;
  for (const Atom fluent : claim.fluents) now.push_back(formula_.make_variable(fluent));
  return add_claim(claim.kind, std::move(now));
}

SolverLiteral ClaimSolver::add_claim_where_mentioned(const Claim& claim) {
  std::vector<SolverLiteral> now;
  for (const Atom fluent : claim.fluents) {
    if (mentions(fluent)) now.push_back(formula_.variable(fluent));
  }
  const bool at_most_one = claim.kind == Claim::Kind::at_most_one;
  if (at_most_one ? now.size() < 2 : now.size() < claim.fluents.size()) return 0;
  return add_claim(claim.kind, std::move(now));
}

SolverLiteral ClaimSolver::add_claim(Claim::Kind kind, std::vector<SolverLiteral> now) {
  const SolverLiteral assumed = formula_.new_variable();
  if (kind == Claim::Kind::at_most_one) {
    formula_.add_at_most_one(now, assumed);
  } else {
    now.push_back(-assumed);
    formula_.add(now);
  }
  return assumed;
}

Answer ClaimSolver::ask(const std::vector<SolverLiteral>& assumed, SolverLiteral violation,
                        int max_conflicts) {
  for (const SolverLiteral literal : assumed) solver_.assume(literal);
  solver_.assume(violation);
  solver_.limit("conflicts", max_conflicts);
  switch (solver_.solve()) {
    case 10:
      return Answer::violated;
    case 20:
      return Answer::kept;
    default:
      return Answer::unknown;
  }
}

}  // namespace zermelo::analysis
