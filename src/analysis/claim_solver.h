// SAT queries about one step and claims: does a claim still hold after the step?
#pragma once

#include <cadical.hpp>
#include <cstdint>
#include <vector>

#include "analysis/mutex_proof_by_induction.h"
#include "analysis/proof_limits.h"
#include "analysis/step_formula.h"

namespace zermelo::analysis {

enum class Answer : std::uint8_t { kept, violated, unknown };

// A solver and its formula. The rules and the limits must outlive it.
class ClaimSolver {
 public:
  ClaimSolver(const StepRules& rules, const StepFormula::Scope& scope, ProofLimits& limits);
  ClaimSolver(const ClaimSolver&) = delete;
  ClaimSolver& operator=(const ClaimSolver&) = delete;

  // Returns a literal that, when assumed, makes the claim fail after the step.
  SolverLiteral add_violation(const Claim& claim);
  void add_moves() { formula_.add_moves(); }
  // Returns a literal that, when assumed, makes the claim hold before the step.
  SolverLiteral add_claim(const Claim& claim);
  // Like add_claim, for the fluents that the formula mentions; returns 0 if that is no restriction.
  SolverLiteral add_claim_where_mentioned(const Claim& claim);
  bool mentions(ground::Atom atom) const { return formula_.variable(atom) != 0; }

  // Returns whether every step from a state that satisfies the assumed claims preserves the claim
  // of a violation literal. Returns unknown after max_conflicts conflicts, or at a limit.
  Answer ask(const std::vector<SolverLiteral>& assumed, SolverLiteral violation, int max_conflicts);
  // After `kept`: whether the proof uses an assumption. After `violated`: whether an atom holds.
  bool uses(SolverLiteral assumed) { return solver_.failed(assumed); }
  bool is_true(ground::Atom atom) {
    return formula_.variable(atom) != 0 && solver_.val(formula_.variable(atom)) > 0;
  }

 private:
  // Configured for many short queries: without the preprocessing at the start of each.
  struct Solver : CaDiCaL::Solver {
    Solver();
  };

  struct Terminator : CaDiCaL::Terminator {
    explicit Terminator(ProofLimits& of_proof) : limits(of_proof) {}
    bool terminate() override { return limits.exceeded().has_value(); }
    ProofLimits& limits;
  };

  SolverLiteral add_claim(Claim::Kind kind, std::vector<SolverLiteral> now);

  Terminator terminator_;
  Solver solver_;
  StepFormula formula_;
};

}  // namespace zermelo::analysis
