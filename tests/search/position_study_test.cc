#include "search/position_study.h"

#include <gtest/gtest.h>

#include "search/games.h"

namespace zermelo::search {
namespace {

Riddle riddle(const EngineOptions& options = {}) {
  return breakthrough_riddle(shipped("breakthrough", options)).value();
}

State after(const Riddle& riddle, Move move) {
  const auto walker = riddle.engine->walker();
  walker->go_to(riddle.state);
  walker->make(std::vector<Move>{move, walker->legal(1).front()});
  return walker->state();
}

TEST(PositionStudy, TheSolutionAloneWins) {
  const Riddle breakthrough = riddle();
  const auto walker = breakthrough.engine->walker();
  walker->go_to(breakthrough.state);
  const auto legal = walker->legal(0);
  ASSERT_EQ(legal.size(), 13u);
  for (const Move move : std::vector<Move>(legal.begin(), legal.end())) {
    Uct uct(breakthrough.engine, {});
    uct.set_root(after(breakthrough, move));
    const Rewards expected = move == breakthrough.solution ? Rewards{100, 0} : Rewards{0, 100};
    EXPECT_EQ(uct.search({{}, 5'000'000}).exact, expected) << breakthrough.engine->move_name(move);
  }
}

TEST(PositionStudy, OtherGamesHaveNoSuchPosition) {
  EXPECT_FALSE(breakthrough_riddle(shipped("tic_tac_toe")));
  EXPECT_FALSE(breakthrough_riddle(generated("breakthrough", {"5", "5"})));
}

TEST(PositionStudy, SharesRepeatOnAnyNumberOfThreads) {
  EngineOptions single;
  single.sliced = false;
  const Riddle breakthrough = riddle(single);
  UctOptions agent;
  agent.proofs = false;
  StudyOptions options{400, 100, 12, 1, 5};
  const auto first = how_often_solved(breakthrough, agent, options);
  options.threads = 2;
  const auto second = how_often_solved(breakthrough, agent, options);
  ASSERT_EQ(first.size(), 4u);
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].mean, second[i].mean);
}

TEST(PositionStudy, ProofsFindTheSolution) {
  StudyOptions options{100'000, 50'000, 4, 1, 1};
  EXPECT_EQ(how_often_solved(riddle(), {}, options).back().mean, 1);
}

}  // namespace
}  // namespace zermelo::search
