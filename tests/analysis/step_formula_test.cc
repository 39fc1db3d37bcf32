#include "analysis/step_formula.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cadical.hpp>
#include <chrono>
#include <optional>
#include <vector>

#include "base/random.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using machine::Move;
using machine::State;

constexpr int satisfiable = 10;

struct Step {
  State before;
  std::vector<Move> joint;
  State after;
};

std::vector<Step> random_steps(machine::Stepper& stepper, base::Random& random) {
  std::vector<Step> steps;
  State state = stepper.initial_state();
  while (!stepper.terminal(state)) {
    std::vector<Move> joint;
    for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
      const std::vector<Move> legal = stepper.legal_moves(state, role);
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    State next = stepper.next_state(state, joint);
    steps.push_back({state, joint, next});
    state = std::move(next);
  }
  return steps;
}

enum class Asked { two_hold, none_holds };

bool is_so(Asked asked, const std::vector<Atom>& fluents, const State& state) {
  const auto holding = std::count_if(fluents.begin(), fluents.end(),
                                     [&](Atom fluent) { return state.test(fluent); });
  return asked == Asked::two_hold ? holding >= 2 : holding == 0;
}

// How formulas are built.
struct Making {
  StepFormula::Scope scope = {};
  std::optional<std::chrono::microseconds> time = {};
};

// Returns whether the formula admits the step's state and moves, with the given claim about the
// next state.
bool admits(const StepRules& rules, const Making& making, const Step& step, Asked asked,
            const std::vector<Atom>& fluents) {
  CaDiCaL::Solver solver;
  ProofLimits limits = making.time ? ProofLimits(*making.time) : ProofLimits();
  StepFormula formula(rules, making.scope, solver, limits);
  const SolverLiteral condition = formula.new_variable();
  if (asked == Asked::two_hold) {
    formula.add_two_hold_next(fluents, condition);
  } else {
    formula.add_none_holds_next(fluents, condition);
  }
  formula.add_moves();
  const auto assume = [&](Atom atom, bool holds) {
    const SolverLiteral variable = formula.variable(atom);
    if (variable != 0) solver.assume(holds ? variable : -variable);
  };
  solver.assume(condition);
  for (Atom fluent = 0; fluent < rules.game.fluents.size(); ++fluent) {
    assume(fluent, step.before.test(fluent));
  }
  for (Move move = 0; move < rules.game.moves.size(); ++move) {
    assume(rules.game.does(move),
           std::find(step.joint.begin(), step.joint.end(), move) != step.joint.end());
  }
  return solver.solve() == satisfiable;
}

struct Tally {
  std::size_t so = 0;
  std::size_t refused = 0;
};

// True claims must be admitted, whatever is omitted; false ones may be refused.
void try_game(std::uint64_t seed, const Making& making, Tally& tally) {
  SCOPED_TRACE(seed);
  const auto machine = std::make_shared<const machine::Machine>(
      *ground::ground(testing::rulesheet(testing::random_game(seed))));
  const StepRules rules(machine->game());
  machine::Stepper stepper(machine);
  base::Random random(seed);
  for (const Step& step : random_steps(stepper, random)) {
    for (const Asked asked : {Asked::two_hold, Asked::none_holds}) {
      std::vector<Atom> fluents(3);
      for (Atom& fluent : fluents) {
        fluent = random.below(static_cast<std::uint32_t>(rules.game.fluents.size()));
      }
      std::sort(fluents.begin(), fluents.end());
      fluents.erase(std::unique(fluents.begin(), fluents.end()), fluents.end());
      const bool so = is_so(asked, fluents, step.after);
      const bool admitted = admits(rules, making, step, asked, fluents);
      ASSERT_TRUE(admitted || !so);
      tally.so += so;
      tally.refused += !admitted;
    }
  }
}

void try_games(const Making& making, std::size_t least_refused) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 30; ++seed) try_game(seed, making, tally);
  EXPECT_GT(tally.so, 40u);
  EXPECT_GE(tally.refused, least_refused);
}

TEST(StepFormula, AdmitsEveryStepOfTheRules) { try_games({}, 41); }

TEST(StepFormula, OmittingMovesAndDepthOnlyAdmitsMore) {
  for (const std::uint32_t depth : {0u, 1u, 2u}) {
    SCOPED_TRACE(depth);
    try_games({{.all_moves = false, .not_terminal = false, .legal_depth = depth}}, 41);
  }
}

TEST(StepFormula, ALimitOnLiteralsOnlyAdmitsMore) {
  for (const std::size_t literals : {0u, 20u, 60u}) {
    SCOPED_TRACE(literals);
    try_games({{.all_moves = false, .not_terminal = false, .max_literals = literals}}, 1);
  }
}

TEST(StepFormula, ALimitOfTimeOnlyAdmitsMore) {
  for (const int microseconds : {0, 2, 5, 10, 20, 50}) {
    SCOPED_TRACE(microseconds);
    try_games({.time = std::chrono::microseconds(microseconds)}, 0);
  }
}

}  // namespace
}  // namespace zermelo::analysis
