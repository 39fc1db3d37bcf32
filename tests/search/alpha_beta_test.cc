// Alpha-beta against the values of the explicit solver.
#include "search/alpha_beta.h"

#include <gtest/gtest.h>

#include "search/games.h"
#include "solve/explicit.h"

namespace zermelo::search {
namespace {

void expect_solver_values(const EnginePointer& engine, std::size_t table_bytes) {
  const auto solution =
      solve::solve_explicit(engine->machine(), {solve::OpponentModel::difference, {}}).value();
  base::Random random(3);
  for (int i = 0; i < 10; ++i) {
    const State state = random_state(*engine, random.below(7), random);
    AlphaBeta search = AlphaBeta::make(engine, {table_bytes}).value();
    const AlphaBetaReport report = search.search(state, {});
    const solve::Rewards value = solution.value(state).value();
    EXPECT_TRUE(report.is_exact);
    EXPECT_EQ(report.value, value[0] - value[1]);
    const std::vector<solve::MoveValue> moves = solution.moves(state);
    EXPECT_TRUE(std::any_of(moves.begin(), moves.end(), [&](const solve::MoveValue& move) {
      return move.move == report.move && move.rewards[0] - move.rewards[1] == value[0] - value[1];
    }));
  }
}

TEST(AlphaBeta, FindsTheSolversValues) {
  expect_solver_values(shipped("tic_tac_toe"), 1 << 20);
  expect_solver_values(shipped("nim"), 1 << 20);
  expect_solver_values(generated("clobber", {"3", "3"}), 1 << 20);
}

TEST(AlphaBeta, TinyTablesDoNoHarm) { expect_solver_values(shipped("nim"), 1 << 8); }

TEST(AlphaBeta, DepthIsALimit) {
  const EnginePointer engine = shipped("connect_four");
  AlphaBeta search = AlphaBeta::make(engine, {}).value();
  const AlphaBetaReport report = search.search(engine->initial(), {{}, 4});
  EXPECT_EQ(report.depth, 4u);
  EXPECT_FALSE(report.is_exact);
}

TEST(AlphaBeta, RefusesOtherGames) {
  EXPECT_FALSE(AlphaBeta::make(shipped("rock_paper_scissors"), {}).has_value());
  EXPECT_FALSE(AlphaBeta::make(shipped("three_player_tic_tac_toe"), {}).has_value());
}

}  // namespace
}  // namespace zermelo::search
