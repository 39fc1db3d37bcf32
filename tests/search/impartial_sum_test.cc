// Grundy numbers against the explicit solver, on every reachable state.
#include "search/decomposition/impartial_sum.h"

#include <gtest/gtest.h>

#include "analysis/reachable.h"
#include "solve/explicit/explicit_solver.h"
#include "support/load_game.h"
#include "support/processor_time.h"
#include "support/random_game.h"

namespace zermelo::search::decomposition {
namespace {

using testing::MachinePointer;

// Compares the value of every state, and what is reported about the whole game.
void expect_like_solver(const MachinePointer& machine) {
  const auto sum = ImpartialSum::find(machine);
  ASSERT_TRUE(sum);
  const auto solution = solve::solve_explicit(machine, {}).value();
  const solve::Summary expected = solve::summarize(solution).value();
  const solve::Summary summary = sum->summarize(solve::OpponentModel::own);
  EXPECT_EQ(summary.value, expected.value);
  EXPECT_EQ(summary.states, expected.states);
  EXPECT_EQ(summary.terminal_states, expected.terminal_states);
  EXPECT_EQ(summary.layers, expected.layers);
  ASSERT_EQ(summary.by_value.size(), expected.by_value.size());
  for (std::size_t i = 0; i < summary.by_value.size(); ++i) {
    EXPECT_EQ(summary.by_value[i].rewards, expected.by_value[i].rewards);
    EXPECT_EQ(summary.by_value[i].states, expected.by_value[i].states);
  }
  ASSERT_EQ(summary.first_moves.size(), expected.first_moves.size());
  for (std::size_t i = 0; i < summary.first_moves.size(); ++i) {
    EXPECT_EQ(summary.first_moves[i].name, expected.first_moves[i].name);
    EXPECT_EQ(summary.first_moves[i].value.rewards, expected.first_moves[i].value.rewards);
    EXPECT_EQ(summary.first_moves[i].value.best, expected.first_moves[i].value.best);
  }
  machine::Stepper stepper(machine);
  for (const machine::State& state : analysis::enumerate(stepper, {}).states) {
    ASSERT_EQ(sum->value(state), solution.value(state));
  }
}

TEST(ImpartialSum, SolvesNim) {
  expect_like_solver(testing::shipped("nim"));
  expect_like_solver(testing::generated("nim", {"1", "2", "3"}));
  expect_like_solver(testing::generated("nim", {"1", "1"}));
  expect_like_solver(testing::generated("nim", {"4", "2", "1", "3"}));
}

TEST(ImpartialSum, SolvesLargeNimAtOnce) {
  const MachinePointer machine = testing::generated("nim", {"3", "5", "7", "9", "11", "13"});
  const auto begin = testing::thread_time();
  const auto sum = ImpartialSum::find(machine);
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->grundy_number(machine::Stepper(machine).initial_state()), 3 ^ 5 ^ 7 ^ 9 ^ 11 ^ 13);
  EXPECT_EQ(sum->summarize(solve::OpponentModel::own).states, "645056");
  EXPECT_LT(testing::thread_time() - begin, std::chrono::duration<double>(0.1));
}

// One heap of n tokens each; a move takes one or two tokens, so the number is n modulo 3.
std::string subtraction_game(const std::string& more) {
  return "(role a) (role b) (init (heap x 4)) (init (heap y 5)) (init (control a))"
         "(minus 5 4) (minus 4 3) (minus 3 2) (minus 2 1) (minus 1 0)"
         "(minus 5 3) (minus 4 2) (minus 3 1) (minus 2 0)"
         "(<= (legal ?p (take ?h ?n)) (true (control ?p)) (true (heap ?h ?m)) (minus ?m ?n))"
         "(<= (legal a wait) (true (control b))) (<= (legal b wait) (true (control a)))"
         "(<= (touched ?h) (does ?_p (take ?h ?_n)))"
         "(<= (next (heap ?h ?n)) (does ?_p (take ?h ?n)))"
         "(<= (next (heap ?h ?n)) (true (heap ?h ?n)) (not (touched ?h)))"
         "(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))"
         "(<= (goal ?p 0) (true (control ?p))) (<= (goal a 100) (true (control b)))"
         "(<= (goal b 100) (true (control a)))" +
         more;
}

TEST(ImpartialSum, SolvesOtherTakingGames) {
  const MachinePointer machine =
      testing::from_text(subtraction_game("(<= terminal (true (heap x 0)) (true (heap y 0)))"));
  expect_like_solver(machine);
  EXPECT_EQ(ImpartialSum::find(machine)->grundy_number(machine::Stepper(machine).initial_state()),
            1u ^ 2u);
}

TEST(ImpartialSum, RefusesOtherGames) {
  // The game ends before the last move.
  EXPECT_FALSE(ImpartialSum::find(
      testing::from_text(subtraction_game("(<= terminal (true (heap x 0)) (true (heap y 1)))"
                                          "(<= terminal (true (heap x 0)) (true (heap y 0)))"))));
  // One player has a move more.
  EXPECT_FALSE(ImpartialSum::find(testing::from_text(
      subtraction_game("(<= terminal (true (heap x 0)) (true (heap y 0)))"
                       "(<= (legal a (take x 0)) (true (control a)) (true (heap x 4)))"))));
  // The mover can pass.
  EXPECT_FALSE(ImpartialSum::find(
      testing::from_text(subtraction_game("(<= terminal (true (heap x 0)) (true (heap y 0)))"
                                          "(<= (legal ?p pass) (true (control ?p)))"))));
  for (const char* name : {"tic_tac_toe", "chomp", "double_tic_tac_toe", "clobber", "incredible"}) {
    EXPECT_FALSE(ImpartialSum::find(testing::shipped(name))) << name;
  }
}

TEST(ImpartialSum, RandomGamesAreNotMistaken) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_game(seed));
    if (ImpartialSum::find(machine)) expect_like_solver(machine);
  }
}

}  // namespace
}  // namespace zermelo::search::decomposition
