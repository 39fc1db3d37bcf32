// A fluent stays true if no step from a state in which it holds leads to one in which it fails.
// This is the step of an induction, and the claims of mutex_proof_by_induction express it: that at
// least one of {f} holds, and that at most one of {f, f} holds, a fluent that is listed twice
// counting twice, which means that f fails. Unlike an invariant, the claim need not hold at the
// start.
//
// Thielscher and Voigt, "A Temporal Proof System for General Game Playing", prove such properties
// by answer set programming over one step; here it is a SAT solver. Mutex groups that are found
// quickly from the rules are assumed of the state, because they hold in all reachable ones.
//
// Random games refute most fluents that are not persistent, so the solver is asked few questions.
// Only a small part of the step is written down: what the fluent's next value depends on, and the
// conditions of legal moves to a small depth. What is left out only admits more steps, so a proof
// is a proof, while a failure may be due to what was left out.
#include "analysis/persistence.h"

#include "analysis/claim_solver.h"
#include "analysis/mutex_groups.h"
#include "analysis/random_walk.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;

class PersistenceProver {
 public:
  PersistenceProver(const std::shared_ptr<const machine::Machine>& machine,
                    const PersistenceOptions& options)
      : game_(machine->game()),
        limits_(options.seconds, options.limits),
        rules_(game_, limits_),
        may_stay_true_(game_.fluents.size(), true),
        may_stay_false_(game_.fluents.size(), true) {
    refute_by_random_games(machine, options);
    for (const MutexGroup& group : find_mutex_groups_by_rules(game_, options.limits)) {
      known_.push_back({Claim::Kind::at_most_one, group.fluents});
    }
  }

  bool is_over() { return limits_.exceeded().has_value(); }

  bool stays_true(Atom fluent) {
    if (!may_stay_true_[fluent]) return false;
    return is_kept({Claim::Kind::at_least_one, {fluent}});
  }
  bool stays_false(Atom fluent) {
    if (!may_stay_false_[fluent]) return false;
    if (game_.next[fluent] == ground::no_atom) return true;
    return is_kept({Claim::Kind::at_most_one, {fluent, fluent}});
  }

 private:
  static constexpr std::size_t steps_of_games = 4'000;
  static constexpr int max_conflicts = 2'000;

  void refute_by_random_games(const std::shared_ptr<const machine::Machine>& machine,
                              const PersistenceOptions& options) {
    RandomWalk walk(machine, {options.seed, 1'000});
    machine::State before = walk.state();
    for (std::size_t step = 0; step < steps_of_games && !is_over(); ++step) {
      const bool moved = walk.advance();
      if (!moved) walk.restart();
      machine::State after = walk.state();
      if (moved) refute(before, after);
      before = std::move(after);
    }
  }

  void refute(const machine::State& before, const machine::State& after) {
    for (std::size_t w = 0; w < before.words().size(); ++w) {
      std::uint64_t changed = before.words()[w] ^ after.words()[w];
      for (; changed != 0; changed &= changed - 1) {
        const std::size_t fluent = w * 64 + static_cast<std::size_t>(std::countr_zero(changed));
        (before.test(fluent) ? may_stay_true_ : may_stay_false_)[fluent] = false;
      }
    }
  }

  bool is_kept(const Claim& claim) {
    const StepFormula::Scope scope{
        .all_moves = false, .not_terminal = false, .legal_depth = 2, .max_literals = 300'000};
    ClaimSolver solver(rules_, scope, limits_);
    const SolverLiteral violation = solver.add_violation(claim);
    solver.add_moves();
    std::vector<SolverLiteral> assumed{solver.add_claim(claim)};
    for (const Claim& known : known_) {
      const SolverLiteral literal = solver.add_claim_where_mentioned(known);
      if (literal != 0) assumed.push_back(literal);
    }
    return !is_over() && solver.ask(assumed, violation, max_conflicts) == Answer::kept;
  }

  const ground::Game& game_;
  ProofLimits limits_;
  StepRules rules_;
  std::vector<Claim> known_;
  std::vector<bool> may_stay_true_, may_stay_false_;  // by fluent: not refuted
};

}  // namespace

Persistence find_persistent_fluents(const std::shared_ptr<const machine::Machine>& machine,
                                    std::span<const Atom> fluents,
                                    const PersistenceOptions& options) {
  PersistenceProver prover(machine, options);
  const std::size_t size = machine->game().fluents.size();
  Persistence result{std::vector<bool>(size), std::vector<bool>(size)};
  for (const Atom fluent : fluents) {
    if (prover.is_over()) return result;
    result.stays_true[fluent] = prover.stays_true(fluent);
    result.stays_false[fluent] = prover.stays_false(fluent);
  }
  result.finished = !prover.is_over();
  return result;
}

}  // namespace zermelo::analysis
