// The Houdini algorithm (Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java") with
// a SAT solver. All claims are assumed of the state before a step; for each the solver looks for a
// step after which it fails. If there is one, the claim is dropped, with every other claim that
// fails after the same step. What is dropped may no longer be assumed, so proofs that used it are
// made again. What is left at the end holds in the initial state and is kept by every step, so it
// holds in every reachable state, and no larger subset of the claims is kept in this way: the
// result does not depend on the order of the questions. A claim may still be true that is dropped,
// when it is not inductive together with the others.
//
// Every claim is guarded by a variable of its own, assumed in each query. When the solver refutes a
// violation it names the assumptions that it used. So only proofs that used a dropped claim are
// repeated, and when time runs out the claims proved so far, without those that rest on unproved
// ones, are still a set closed under the induction.

#include "analysis/induction.h"

#include <algorithm>

#include "analysis/step_formula.h"

namespace zermelo::analysis {

namespace {

using ground::Atom;
using machine::Move;
using machine::State;
using Clock = std::chrono::steady_clock;

class Deadline : public CaDiCaL::Terminator {
 public:
  explicit Deadline(Clock::time_point end) : end_(end) {}
  bool terminate() override { return Clock::now() >= end_; }

 private:
  Clock::time_point end_;
};

bool satisfies(const State& state, const Claim& claim) {
  const auto holding = std::count_if(claim.fluents.begin(), claim.fluents.end(),
                                     [&](Atom fluent) { return state.test(fluent); });
  return claim.kind == Claim::Kind::at_most_one ? holding <= 1 : holding >= 1;
}

constexpr int satisfiable = 10, unsatisfiable = 20;

// Many short queries: without what is done anew at the start of each.
class Solver : public CaDiCaL::Solver {
 public:
  Solver() {
    set("quiet", 1);
    set("lucky", 0);
    set("walk", 0);
  }
};

class Prover {
 public:
  Prover(std::shared_ptr<const machine::Machine> machine, const std::vector<Claim>& claims,
         const InductionOptions& options)
      : game_(machine->game()),
        stepper_(std::move(machine)),
        claims_(claims),
        options_(options),
        deadline_(Clock::now() + std::chrono::duration_cast<Clock::duration>(options.seconds)),
        status_(claims.size(), Status::open),
        used_(claims.size()) {
    solver_.connect_terminator(&deadline_);
  }

  Induction run() {
    drop_violated(stepper_.initial_state());
    encode();
    result_.finished = decide_all();
    keep_closed_set();
    for (const Status status : status_) result_.proved.push_back(status == Status::proved);
    return std::move(result_);
  }

 private:
  enum class Status : std::uint8_t { open, proved, dropped };

  void encode() {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      assumed_.push_back(formula_.new_variable());
      violated_.push_back(formula_.new_variable());
      if (status_[c] == Status::open) encode(claims_[c], assumed_[c], violated_[c]);
    }
  }

  void encode(const Claim& claim, SolverLiteral assumed, SolverLiteral violated) {
    std::vector<SolverLiteral> now;
    for (const Atom fluent : claim.fluents) now.push_back(formula_.variable(fluent));
    if (claim.kind == Claim::Kind::at_most_one) {
      formula_.add_at_most_one(now, assumed);
      formula_.add_two_hold_next(claim.fluents, violated);
    } else {
      now.push_back(-assumed);
      formula_.add(now);
      formula_.add_none_holds_next(claim.fluents, violated);
    }
  }

  // False when time ran out.
  bool decide_all() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t c = 0; c < claims_.size(); ++c) {
        if (status_[c] != Status::open) continue;
        changed = true;
        if (!decide(c)) return false;
      }
    }
    return true;
  }

  bool decide(std::size_t claim) {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      if (status_[c] != Status::dropped) solver_.assume(assumed_[c]);
    }
    solver_.assume(violated_[claim]);
    solver_.limit("conflicts", options_.max_conflicts);
    ++result_.queries;
    const int answer = solver_.solve();
    if (answer == unsatisfiable) {
      set_proved(claim);
    } else if (answer == satisfiable) {
      drop(claim);
      drop_violated(next_state());
    } else if (deadline_.terminate()) {
      return false;
    } else {
      ++result_.given_up;
      drop(claim);
      reopen_users();
    }
    return true;
  }

  void drop(std::size_t claim) { status_[claim] = Status::dropped; }

  void set_proved(std::size_t claim) {
    status_[claim] = Status::proved;
    used_[claim].clear();
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      if (status_[c] != Status::dropped && solver_.failed(assumed_[c])) used_[claim].push_back(c);
    }
  }

  void drop_violated(const State& state) {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      if (status_[c] != Status::dropped && !satisfies(state, claims_[c])) drop(c);
    }
    reopen_users();
  }

  bool uses_any(std::size_t claim, Status status) const {
    return std::any_of(used_[claim].begin(), used_[claim].end(),
                       [&](std::size_t used) { return status_[used] == status; });
  }

  void reopen_users() {
    for (std::size_t c = 0; c < claims_.size(); ++c) {
      if (status_[c] == Status::proved && uses_any(c, Status::dropped)) {
        status_[c] = Status::open;
      }
    }
  }

  // The real successor of the step that the solver found.
  State next_state() {
    State state(game_.fluents.size());
    for (Atom fluent = 0; fluent < game_.fluents.size(); ++fluent) {
      if (is_true(fluent)) state.set(fluent);
    }
    std::vector<Move> joint;
    for (Move move = 0; move < game_.moves.size(); ++move) {
      if (is_true(game_.does(move))) joint.push_back(move);
    }
    return stepper_.next_state(state, joint);
  }

  bool is_true(Atom atom) { return solver_.val(formula_.variable(atom)) > 0; }

  void keep_closed_set() {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t c = 0; c < claims_.size(); ++c) {
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
  Deadline deadline_;
  Solver solver_;
  StepFormula formula_{game_, options_.past_terminal, solver_};
  std::vector<SolverLiteral> assumed_, violated_;  // by claim
  std::vector<Status> status_;                     // by claim
  std::vector<std::vector<std::size_t>> used_;     // by proved claim: what its proof assumes
  Induction result_;
};

}  // namespace

Induction prove_by_induction(std::shared_ptr<const machine::Machine> machine,
                             const std::vector<Claim>& claims, const InductionOptions& options) {
  return Prover(std::move(machine), claims, options).run();
}

}  // namespace zermelo::analysis
