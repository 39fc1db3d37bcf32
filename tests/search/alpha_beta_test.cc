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
    if (moves.size() < 2) continue;  // nobody has a choice: any role's move will do
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

// What a lets b choose between is worth less to it than what it has, by c1 already, so that the
// table holds c1 as a refutation, of a deeper search than the one that asks for b's best move.
TEST(AlphaBeta, TheMoveIsThatOfTheSearch) {
  std::string rules = R"(
    (role a) (role b) (init (at start)) (init (step 0))
    (<= (legal a good) (true (at start))) (<= (legal a trap) (true (at start)))
    (<= (legal a noop) (not (true (at start))))
    (<= (legal b c1) (true (at trap))) (<= (legal b c2) (true (at trap)))
    (<= (legal b noop) (not (true (at trap))))
    (<= (next (at good)) (does a good)) (<= (next (at trap)) (does a trap))
    (<= (next (at c1)) (does b c1)) (<= (next (at c2)) (does b c2))
    (<= (next (at ?x)) (true (at ?x)) (does a noop) (does b noop))
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= terminal (true (step 20)))
    (<= (goal ?r 50) (role ?r) (not (true (at c1))) (not (true (at c2))))
    (<= (goal a 40) (true (at c1))) (<= (goal b 60) (true (at c1)))
    (<= (goal a 0) (true (at c2))) (<= (goal b 100) (true (at c2)))
  )";
  for (int n = 0; n < 20; ++n) {
    rules += "(after " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
  }
  const EnginePointer engine = engine_of(testing::rulesheet(rules));
  AlphaBeta search = AlphaBeta::make(engine, {}).value();
  search.search(engine->initial(), {{}, 5});
  const auto walker = engine->walker();
  walker->go_to(engine->initial());
  walker->make(std::vector<Move>{walker->legal(0)[1], walker->legal(1)[0]});
  const AlphaBetaReport report = search.search(walker->state(), {{}, 2});
  EXPECT_EQ(report.value, -100);
  EXPECT_EQ(engine->move_name(report.move), "c2");
}

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
