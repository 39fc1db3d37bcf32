// The Houdini algorithm (Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java") with
// a SAT solver. All claims are assumed of the state before a step. For each claim, the solver
// searches for a step after which it fails. If there is one, the claim is dropped, with every other
// claim that fails after the same step. A dropped claim may no longer be assumed, so proofs that
// used it are repeated. The remaining claims hold in the initial state and are preserved by every
// step, so they hold in every reachable state. If the solver decided every query, the result is the
// largest inductive subset of the claims, in whatever order they are checked. A dropped claim may
// still be true, if it is not inductive together with the others.
//
// A claim about one cell usually depends only on the moves that touch the cell and on little of
// what makes them legal. So a claim is first checked with a small formula of its own, which omits
// the rest. A model of it proves nothing; in that case the whole step is checked, in one solver
// that serves all claims.
//
// Every claim is guarded by a variable that is assumed in each query. When the solver refutes a
// violation, it reports the assumptions that it used. So only proofs that used a dropped claim are
// repeated. At a limit, the claims proved so far, without those that depend on unproved ones, are
// still an inductive set.

#include "analysis/mutex_proof_by_induction.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "analysis/claim_solver.h"

namespace zermelo::analysis {

namespace {

using ground::Atom;
using machine::Move;
using machine::State;
using ClaimIndex = std::uint32_t;

constexpr std::uint32_t local_legal_depth = 2;
constexpr std::size_t local_literals = 300'000;
constexpr int local_conflicts = 10'000;

bool satisfies(const State& state, const Claim& claim) {
  const auto holding = std::count_if(claim.fluents.begin(), claim.fluents.end(),
                                     [&](Atom fluent) { return state.test(fluent); });
  return claim.kind == Claim::Kind::at_most_one ? holding <= 1 : holding >= 1;
}

class Prover {
 public:
  Prover(std::shared_ptr<const machine::Machine> machine, const StepRules& rules,
         const std::vector<Claim>& claims, const InductionOptions& options)
      : game_(machine->game()),
        stepper_(std::move(machine)),
        claims_(claims),
        options_(options),
        rules_(rules),
        limits_(options.limits),
        status_(claims.size(), Status::open),
        used_(claims.size()),
        claims_about_(game_.fluents.size()) {
    std::fill_n(status_.begin(), options.known, Status::proved);
    for (ClaimIndex c = 0; c < claims.size(); ++c) {
      for (const Atom fluent : claims[c].fluents) claims_about_[fluent].push_back(c);
    }
  }

  Induction run() {
    drop_violated(stepper_.initial_state());
    if (!decide_all()) result_.stopped = limits_.exceeded();
    keep_closed_set();
    for (const Status status : status_) result_.proved.push_back(status == Status::proved);
    return std::move(result_);
  }

 private:
  enum class Status : std::uint8_t { open, proved, dropped };
  struct Assumption {
    ClaimIndex claim;
    SolverLiteral literal;
  };

  // Returns false at a limit.
  bool decide_all() {
    for (bool changed = true; changed;) {
      changed = false;
      for (ClaimIndex c = 0; c < claims_.size(); ++c) {
        if (status_[c] != Status::open) continue;
        changed = true;
        if (limits_.exceeded()) return false;
        if (!prove_locally(c) && !decide(c)) return false;
      }
    }
    return true;
  }

  bool prove_locally(ClaimIndex claim) {
    const StepFormula::Scope scope{.all_moves = false,
                                   .not_terminal = false,
                                   .legal_depth = local_legal_depth,
                                   .max_literals = local_literals};
    ClaimSolver solver(rules_, scope, limits_);
    const SolverLiteral violation = solver.add_violation(claims_[claim]);
    solver.add_moves();
    std::vector<Assumption> assumptions;
    for (const ClaimIndex c : claims_mentioned_in(solver)) {
      const SolverLiteral literal = solver.add_claim_where_mentioned(claims_[c]);
      if (literal != 0) assumptions.push_back({c, literal});
    }
    return ask(solver, assumptions, claim, violation, local_conflicts) == Answer::kept;
  }

  std::vector<ClaimIndex> claims_mentioned_in(const ClaimSolver& solver) const {
    std::vector<ClaimIndex> mentioned;
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (!solver.mentions(fluent)) continue;
      for (const ClaimIndex c : claims_about_[fluent]) {
        if (status_[c] != Status::dropped) mentioned.push_back(c);
      }
    }
    std::sort(mentioned.begin(), mentioned.end());
    mentioned.erase(std::unique(mentioned.begin(), mentioned.end()), mentioned.end());
    return mentioned;
  }

  Answer ask(ClaimSolver& solver, const std::vector<Assumption>& assumptions, ClaimIndex claim,
             SolverLiteral violation, int max_conflicts) {
    std::vector<SolverLiteral> literals;
    for (const Assumption& assumption : assumptions) literals.push_back(assumption.literal);
    const Answer answer = solver.ask(literals, violation, max_conflicts);
    if (answer != Answer::kept) return answer;
    status_[claim] = Status::proved;
    used_[claim].clear();
    for (const Assumption& assumption : assumptions) {
      if (solver.uses(assumption.literal)) used_[claim].push_back(assumption.claim);
    }
    return answer;
  }

  // Checks a claim with the whole step. Returns false at a limit.
  bool decide(ClaimIndex claim) {
    if (!whole_) encode_whole_step();
    if (limits_.exceeded()) return false;
    std::vector<Assumption> assumptions;
    for (ClaimIndex c = 0; c < claims_.size(); ++c) {
      if (status_[c] != Status::dropped) assumptions.push_back({c, assumed_[c]});
    }
    const Answer answer =
        ask(*whole_, assumptions, claim, violated_[claim], options_.max_conflicts);
    if (answer == Answer::kept) return true;
    if (answer == Answer::unknown && limits_.exceeded()) return false;
    status_[claim] = Status::dropped;
    if (answer == Answer::violated) {
      drop_violated(next_state());
    } else {
      reopen_users_of_dropped();
    }
    return true;
  }

  // Encodes the whole step, unless a limit is reached.
  void encode_whole_step() {
    const StepFormula::Scope scope{.not_terminal = !options_.past_terminal};
    whole_ = std::make_unique<ClaimSolver>(rules_, scope, limits_);
    for (const Claim& claim : claims_) {
      if (limits_.exceeded()) return;
      assumed_.push_back(whole_->add_claim(claim));
      violated_.push_back(whole_->add_violation(claim));
    }
    whole_->add_moves();
  }

  void drop_violated(const State& state) {
    for (ClaimIndex c = 0; c < claims_.size(); ++c) {
      if (!satisfies(state, claims_[c])) status_[c] = Status::dropped;
    }
    reopen_users_of_dropped();
  }

  void reopen_users_of_dropped() {
    for (ClaimIndex c = 0; c < claims_.size(); ++c) {
      if (status_[c] == Status::proved && uses_any(c, Status::dropped)) status_[c] = Status::open;
    }
  }

  bool uses_any(ClaimIndex claim, Status status) const {
    return std::any_of(used_[claim].begin(), used_[claim].end(),
                       [&](ClaimIndex used) { return status_[used] == status; });
  }

  // Returns the real successor of the step that the solver found.
  State next_state() {
    State state(game_.fluents.size());
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (whole_->is_true(fluent)) state.set(fluent);
    }
    std::vector<Move> joint;
    for (Move move = 0; move < game_.moves.size(); ++move) {
      if (whole_->is_true(game_.does(move))) joint.push_back(move);
    }
    return stepper_.next_state(state, joint);
  }

  void keep_closed_set() {
    for (bool changed = true; changed;) {
      changed = false;
      for (ClaimIndex c = 0; c < claims_.size(); ++c) {
        if (status_[c] != Status::proved || !uses_any(c, Status::open)) continue;
        status_[c] = Status::open;
        changed = true;
      }
    }
  }

  const ground::Game& game_;
  machine::Stepper stepper_;
  const std::vector<Claim>& claims_;
  const InductionOptions& options_;
  const StepRules& rules_;
  ProofLimits limits_;
  std::vector<Status> status_;                 // by claim
  std::vector<std::vector<ClaimIndex>> used_;  // by proved claim: the claims its proof assumes
  std::vector<std::vector<ClaimIndex>> claims_about_;  // by fluent
  std::unique_ptr<ClaimSolver> whole_;
  std::vector<SolverLiteral> assumed_, violated_;  // by claim, in the whole step
  Induction result_;
};

}  // namespace

Induction prove_by_induction(std::shared_ptr<const machine::Machine> machine,
                             const StepRules& rules, const std::vector<Claim>& claims,
                             const InductionOptions& options) {
  return Prover(std::move(machine), rules, claims, options).run();
}

}  // namespace zermelo::analysis
