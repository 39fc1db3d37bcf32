// Values from subgames against the explicit solver, on every reachable state.
#include <gtest/gtest.h>

#include <filesystem>

#include "analysis/reachable.h"
#include "base/random.h"
#include "search/decomposition/factored_reduction.h"
#include "search/decomposition/factored_values.h"
#include "search/decomposition/partisan_sum.h"
#include "search/decomposition/short_games.h"
#include "search/decomposition/stage_reduction.h"
#include "search/decomposition/subgame_equivalence.h"
#include "search/planner/factored_plan.h"
#include "solve/explicit/explicit_solver.h"
#include "support/composed_game.h"
#include "support/load_game.h"
#include "support/random_game.h"
#include "support/sum_game.h"

namespace zermelo::search::decomposition {
namespace {

using machine::State;
using testing::MachinePointer;
using testing::random_sum;
using testing::SumKind;

State first_state_of(const MachinePointer& machine) {
  return machine::Stepper(machine).initial_state();
}

// By state: the rewards with best play. The twin of everything here.
solve::ExplicitSolution twin(const MachinePointer& machine) {
  return solve::solve_explicit(machine, {}).value();
}

// Compares a function of states with the explicit solver, on all reachable states.
template <class Value>
void expect_like_twin(const MachinePointer& machine, const Value& value) {
  const solve::ExplicitSolution solution = twin(machine);
  machine::Stepper stepper(machine);
  for (const State& state : analysis::enumerate(stepper, {}).states) {
    ASSERT_EQ(value(state), solution.value(state));
  }
}

TEST(ShortGames, KnowsTheFirstValues) {
  ShortGames games;
  const GameValue zero = ShortGames::zero();
  const GameValue one = games.make({zero}, {}), minus_one = games.make({}, {zero});
  const GameValue star = games.make({zero}, {zero});
  const GameValue up = games.make({zero}, {star});
  EXPECT_EQ(games.add(one, minus_one), zero);
  EXPECT_EQ(games.add(star, star), zero);
  EXPECT_EQ(games.make({minus_one}, {one}), zero) << "the simplest number between them";
  const GameValue half = games.make({zero}, {one});
  EXPECT_EQ(games.add(half, half), one);
  EXPECT_TRUE(games.left_wins_first(up) && !games.right_wins_first(up));
  EXPECT_TRUE(games.left_wins_first(star) && games.right_wins_first(star));
  const GameValue hot = games.make({one}, {minus_one});
  EXPECT_EQ(games.add(hot, hot), zero);
  EXPECT_FALSE(games.is_at_most(hot, zero) || games.is_at_most(zero, hot));
  const GameValue two = games.make({one}, {});
  EXPECT_FALSE(games.is_at_most(hot, one)) << "Left moves to 1";
  EXPECT_TRUE(games.is_at_most(hot, two) && games.is_at_most(games.make({}, {minus_one}), hot));
  EXPECT_EQ(games.make({zero, star}, {zero, star}), games.make({star, zero}, {zero, star}));
  EXPECT_EQ(games.make({up}, {games.add(up, star)}), games.make({up, zero}, {games.add(up, star)}));
}

// Canonical forms against the definition of equality, on random games.
TEST(ShortGames, EqualGamesHaveOneForm) {
  base::Random random(1);
  for (int round = 0; round < 50; ++round) {
    ShortGames games;
    std::vector<GameValue> known{ShortGames::zero()};
    for (int i = 0; i < 12; ++i) {
      std::vector<GameValue> options[2];
      for (auto& of_player : options) {
        for (std::uint32_t n = random.below(3); n > 0; --n) {
          of_player.push_back(known[random.below(static_cast<std::uint32_t>(known.size()))]);
        }
      }
      known.push_back(games.make(options[0], options[1]));
    }
    for (const GameValue a : known) {
      for (const GameValue b : known) {
        EXPECT_EQ(games.is_at_most(a, b) && games.is_at_most(b, a), a == b);
        for (const GameValue left : games.left(a)) EXPECT_FALSE(games.is_at_most(a, left));
        EXPECT_EQ(games.is_at_most(games.add(a, b), games.add(b, b)), games.is_at_most(a, b));
      }
    }
    EXPECT_FALSE(games.is_exhausted());
  }
}

TEST(PartisanSum, AgreesWithTheSolverOnRandomSums) {
  std::size_t with_several_components = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(random_sum(seed, SumKind::normal));
    const auto sum = PartisanSum::find(machine);
    if (!sum) continue;  // if a player can never move, for example
    with_several_components += sum->components(first_state_of(machine)) > 1;
    expect_like_twin(machine, [&](const State& state) { return sum->value(state); });
  }
  EXPECT_GE(with_several_components, 100u);
}

TEST(PartisanSum, SolvesBoardsThatFallApart) {
  for (const auto& size : std::vector<std::vector<std::string>>{
           {"2", "2"}, {"2", "3"}, {"3", "3"}, {"1", "6"}, {"1", "10"}, {"2", "4"}}) {
    SCOPED_TRACE(size[0] + "x" + size[1]);
    const MachinePointer machine = testing::generated("clobber", size);
    const auto sum = PartisanSum::find(machine);
    ASSERT_TRUE(sum);
    expect_like_twin(machine, [&](const State& state) { return sum->value(state); });
  }
}

TEST(PartisanSum, RefusesOtherGames) {
  for (const char* name : {"tic_tac_toe", "double_tic_tac_toe", "breakthrough", "incredible"}) {
    EXPECT_FALSE(PartisanSum::find(testing::shipped(name))) << name;
  }
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EXPECT_FALSE(PartisanSum::find(testing::from_text(random_sum(seed, SumKind::rewarded))))
        << seed;
  }
}

// Solves up to equivalence. Returns whether there is a reduction.
bool expect_reduction_like_twin(const MachinePointer& machine) {
  Factoring factoring(machine);
  const auto reduction = find_reduction(factoring);
  if (!reduction) return false;
  const auto solution =
      solve::solve_explicit(machine, {solve::OpponentModel::own, {}, reduction}).value();
  const solve::ExplicitSolution expected = twin(machine);
  EXPECT_LE(solution.states(), expected.states());
  EXPECT_EQ(solution.cyclic(), expected.cyclic());
  machine::Stepper stepper(machine);
  for (const State& state : analysis::enumerate(stepper, {}).states) {
    EXPECT_EQ(solution.value(state), expected.value(state));
    if (solution.value(state) != expected.value(state)) return true;
  }
  return true;
}

TEST(FactoredReduction, AgreesWithTheSolverOnRandomSums) {
  std::size_t reduced = 0;
  for (const SumKind kind : {SumKind::normal, SumKind::rewarded, SumKind::serial}) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(seed);
      reduced += expect_reduction_like_twin(testing::from_text(random_sum(seed, kind)));
    }
  }
  EXPECT_GE(reduced, 20u);
}

TEST(FactoredReduction, AgreesWithTheSolverOnRandomSerialGames) {
  std::size_t with_stages = 0;
  for (std::uint64_t seed = 100; seed < 140; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(random_sum(seed, SumKind::serial));
    const auto stages = analysis::find_serial_stages(machine).value();
    with_stages += !stages.empty();
    const auto reduction = std::make_shared<StageReduction>(machine, stages);
    const auto solution =
        solve::solve_explicit(machine, {solve::OpponentModel::own, {}, reduction}).value();
    expect_like_twin(machine, [&](const State& state) { return solution.value(state); });
  }
  EXPECT_GE(with_stages, 20u);
}

// Calls `test` with compositions of two random games of one role that have few states. Returns how
// often it returned true.
template <class Test>
std::size_t count_composed(testing::Composition composition, const Test& test) {
  std::size_t result = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(
        testing::compose(testing::random_single_player_game(2 * seed),
                         testing::random_single_player_game(2 * seed + 1), composition));
    machine::Stepper stepper(machine);
    if (analysis::enumerate(stepper, {20'000, {}}).complete) result += test(machine);
  }
  return result;
}

TEST(FactoredReduction, AgreesWithTheSolverOnComposedGamesOfOneRole) {
  using testing::Composition;
  EXPECT_GE(count_composed(Composition::interleaved, expect_reduction_like_twin) +
                count_composed(Composition::parallel, expect_reduction_like_twin),
            5u);
  EXPECT_GE(count_composed(Composition::serial, expect_reduction_like_twin), 1u);
}

// Compares the reward with that of the solver, and the line with the machine. Returns whether there
// is a plan.
bool expect_plan_like_twin(const MachinePointer& machine) {
  Factoring factoring(machine);
  const auto plan = planner::find_factored_plan(factoring);
  if (!plan) return false;
  EXPECT_EQ(std::vector{plan->line.reward}, twin(machine).value());
  EXPECT_FALSE(plan->description.empty());
  const planner::PlanSpace space(machine, first_state_of(machine));
  const auto line = space.replay(plan->line.moves);
  EXPECT_TRUE(line && line->reward == plan->line.reward);
  return true;
}

TEST(FactoredPlan, AgreesWithTheSolverOnComposedGames) {
  using testing::Composition;
  EXPECT_GE(count_composed(Composition::interleaved, expect_plan_like_twin) +
                count_composed(Composition::parallel, expect_plan_like_twin),
            3u);
  EXPECT_GE(count_composed(Composition::serial, expect_plan_like_twin), 1u);
}

TEST(FactoredPlan, AgreesWithTheSolverOnShippedGames) {
  EXPECT_TRUE(expect_plan_like_twin(testing::shipped("two_graphs")));
  EXPECT_TRUE(expect_plan_like_twin(testing::shipped("incredible")));
  EXPECT_FALSE(expect_plan_like_twin(testing::shipped("eight_puzzle")));
  EXPECT_FALSE(expect_plan_like_twin(testing::shipped("nim")));
}

// Games that no exhaustive search finishes.
TEST(FactoredPlan, SolvesSharedComposites) {
  const std::filesystem::path folder = ZERMELO_ROOT "/../shared/games/games";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no collection of games";
  for (const char* name : {"asteroidsParallel", "asteroidsSerial", "blocksWorldParallel"}) {
    SCOPED_TRACE(name);
    Factoring factoring(
        testing::machine_of(testing::rulesheet_file(folder / (std::string(name) + ".kif"))));
    const auto plan = planner::find_factored_plan(factoring);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->line.reward, 100);
  }
}

// Most random games do not decompose, but some of their conditions last.
TEST(FactoredReduction, RandomGamesKeepTheirValues) {
  std::size_t reduced = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_single_player_game(seed));
    machine::Stepper stepper(machine);
    if (!analysis::enumerate(stepper, {20'000, {}}).complete) continue;
    reduced += expect_reduction_like_twin(machine);
  }
  EXPECT_GE(reduced, 1u);
}

TEST(FactoredReduction, AgreesWithTheSolverOnShippedGames) {
  for (const char* name : {"two_graphs", "incredible", "nim", "buttons", "maze", "tic_tac_toe"}) {
    SCOPED_TRACE(name);
    expect_reduction_like_twin(testing::shipped(name));
  }
}

TEST(FactoredValues, AreExactForSums) {
  EXPECT_FALSE(find_factored_values(testing::shipped("tic_tac_toe")).values);
  std::size_t with_values = 0;
  const auto compare = [&](const MachinePointer& machine) {
    const FactoredValues found = find_factored_values(machine);
    if (!found.values) return;
    ++with_values;
    EXPECT_FALSE(found.description.empty());
    expect_like_twin(machine, [&](const State& state) { return found.values->value(state); });
  };
  compare(testing::shipped("nim"));
  compare(testing::generated("clobber", {"3", "3"}));
  EXPECT_EQ(with_values, 2u);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    compare(testing::from_text(random_sum(seed, SumKind::rewarded)));
    compare(testing::from_text(random_sum(seed, SumKind::serial)));
  }
  EXPECT_GE(with_values, 5u);
}

}  // namespace
}  // namespace zermelo::search::decomposition
