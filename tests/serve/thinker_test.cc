// Thinker: it searches while the others think, and ends when requested.
#include "serve/thinker.h"

#include <gtest/gtest.h>

#include <set>

#include "families/families.h"
#include "serve/rules.h"
#include "support/processor_time.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

void wait_for_game(const Thinker& thinker) {
  const auto latest = Clock::now() + 20s;
  while (!thinker.is_grounded() && Clock::now() < latest) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(thinker.is_grounded());
}

// Its answer without any time to think.
std::string move_now(Thinker& thinker, std::vector<std::string> moves = {}) {
  thinker.observe(std::move(moves), false);
  return thinker.move(Clock::now(), Clock::now() + 20s, {});
}

// Its answer once the best move is proved.
std::string move_in_the_end(Thinker& thinker) {
  return thinker.move(Clock::now() + 20s, Clock::now() + 20s, {});
}

// A choice among many moves, of which the last by name wins, after an opponent's choice.
std::string find_the_needle() {
  std::string rules =
      "(role us) (role them) (init (turn them)) (<= (legal us wait) (true (turn them)))"
      "(<= (legal them wait) (true (turn us))) (<= (next (turn us)) (true (turn them)))"
      "(<= (next over) (true (turn us))) (<= terminal (true over))"
      "(<= (next won) (does us (pull 99))) (<= (goal us 100) (true won))"
      "(<= (goal us 0) (not (true won))) (goal them 0)"
      "(<= (legal us (pull ?n)) (number ?n) (true (turn us)))"
      "(<= (legal them (choose ?n)) (number ?n) (true (turn them)))";
  for (int i = 10; i < 100; ++i) rules += "(number " + std::to_string(i) + ")";
  return rules;
}

// One move wins at once; the other leads to a choice among many, of which the last by name wins.
std::string two_ways() {
  std::string rules =
      "(role us) (init first) (<= (legal us now) (true first)) (<= (legal us later) (true first))"
      "(<= (legal us (pull ?n)) (number ?n) (true second))"
      "(<= (next second) (does us later)) (<= (next won) (does us now))"
      "(<= (next won) (does us (pull 99))) (<= terminal (not (true first)) (not (true second)))"
      "(<= (goal us 100) (true won)) (<= (goal us 0) (not (true won)))";
  for (int i = 10; i < 100; ++i) rules += "(number " + std::to_string(i) + ")";
  return rules;
}

TEST(Thinker, HasAMoveForEveryState) {
  Thinker thinker(game_text("tic_tac_toe"), "x", {});
  EXPECT_EQ(move_now(thinker).rfind("(mark ", 0), 0u);
  EXPECT_EQ(move_now(thinker, {"(mark 1 1)", "noop"}), "noop");
  EXPECT_EQ(move_now(thinker, {"noop", "(mark 2 2)"}).rfind("(mark ", 0), 0u);
}

TEST(Thinker, SearchesOnTheOpponentsTime) {
  Thinker thinker(find_the_needle(), "us", {});
  EXPECT_EQ(move_now(thinker), "wait");
  wait_for_game(thinker);
  testing::wait_for_work(1s);
  EXPECT_EQ(move_now(thinker, {"wait", "(choose 50)"}), "(pull 99)");
}

TEST(Thinker, PondersAfterItsAnswer) {
  Thinker thinker(two_ways(), "us", {});
  wait_for_game(thinker);
  EXPECT_EQ(move_in_the_end(thinker), "now");
  thinker.ponder("later");  // a move it has not explored
  testing::wait_for_work(1s);
  EXPECT_EQ(move_now(thinker, {"later"}), "(pull 99)");
}

// The plan that was found before the first move is played to its end, without further thinking.
TEST(Thinker, PlaysOutItsPlan) {
  Thinker thinker(game_text("towers_of_hanoi"), "player", {});
  thinker.wait(Clock::now() + 20s, {});
  std::size_t moves = 0;
  std::string move = move_now(thinker);
  for (; move != no_move && moves < 100; ++moves) move = move_now(thinker, {move});
  EXPECT_EQ(moves, 31u);  // all that the rules allow
}

// 645,056 states, but six heaps: the first move is proved by the values of the parts.
TEST(Thinker, KnowsTheValuesOfSumsBeforeTheFirstMove) {
  const std::string rules = families::generate("nim", {"3", "5", "7", "9", "11", "13"}).value();
  Thinker thinker(rules, "first", {});
  thinker.observe({}, false);
  const std::set<std::string> winning{"(leave 4 7)", "(leave 5 5)", "(leave 6 3)"};
  const auto begin = Clock::now();
  EXPECT_TRUE(winning.contains(thinker.move(begin + 60s, begin + 60s, {})));
  EXPECT_LT(Clock::now() - begin, 60s) << "the move is not proved";
}

TEST(Thinker, RepeatedQuestionsGetTheSameAnswer) {
  Thinker thinker(find_the_needle(), "us", {});
  thinker.observe({"wait", "(choose 50)"}, false);
  EXPECT_EQ(move_in_the_end(thinker), "(pull 99)");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(move_now(thinker), "(pull 99)");
  EXPECT_EQ(move_now(thinker, {"no", "moves"}), "(pull 99)");
}

TEST(Thinker, ReportsAProblemAtOnce) {
  const auto begin = testing::process_time();
  Thinker thinker(too_large, "nobody", {});
  thinker.wait(Clock::now() + 20s, {});
  EXPECT_EQ(thinker.problem(), "unknown role nobody");
  EXPECT_LT(testing::process_time() - begin, 5s);
}

// Flat Monte Carlo on the reference engine finds it, too: the second move is the last, and wins
// with 9.
TEST(Thinker, SamplesGamesThatDoNotGround) {
  const auto finds_it_within = [](std::chrono::milliseconds time) {
    Thinker thinker(too_large, "white", {});
    thinker.observe({"(go 1 1)"}, false);
    const auto deadline = Clock::now() + time;
    const std::string move = thinker.move(deadline, deadline + 20s, {});
    EXPECT_FALSE(thinker.is_grounded());
    return move.rfind("(go 9 ", 0) == 0;
  };
  std::chrono::milliseconds time = 500ms;
  while (!finds_it_within(time) && time < 16s) time *= 2;  // longer, for a busy machine
  EXPECT_LT(time, 16s);
}

TEST(Thinker, RespectsTheMaximumSearchTime) {
  ThinkerOptions options;
  options.max_search_time = 50ms;
  Thinker thinker(game_text("connect_four"), "red", options);
  wait_for_game(thinker);
  const auto latest = Clock::now() + 60s;
  while (testing::work_within(300ms) >= 1ms && Clock::now() < latest) {
  }
  EXPECT_LT(Clock::now(), latest);
  EXPECT_NE(move_now(thinker), no_move);
}

void expect_quick_end(std::unique_ptr<Thinker> thinker) {
  const auto begin = testing::process_time();
  thinker.reset();
  EXPECT_LT(testing::process_time() - begin, 2s);
}

TEST(Thinker, EndsAtOnceDuringGrounding) {
  ThinkerOptions options;
  options.preparation = 600s;
  auto thinker = std::make_unique<Thinker>(too_large, "white", options);
  std::this_thread::sleep_for(100ms);
  EXPECT_FALSE(thinker->is_grounded());
  expect_quick_end(std::move(thinker));
}

TEST(Thinker, EndsAtOnceDuringASearch) {
  auto thinker = std::make_unique<Thinker>(game_text("connect_four"), "red", ThinkerOptions());
  wait_for_game(*thinker);
  std::this_thread::sleep_for(50ms);
  expect_quick_end(std::move(thinker));
}

TEST(Thinker, EndsAtOnceDuringAQueryToTheReferenceEngine) {
  auto thinker = std::make_unique<Thinker>(slow_start(4), "x", ThinkerOptions());
  std::this_thread::sleep_for(100ms);
  expect_quick_end(std::move(thinker));
}

TEST(Thinker, EndsAtOnceWhileBitSlicedPlayoutsArePrepared) {
  auto thinker = std::make_unique<Thinker>(many_moves(), "us", ThinkerOptions());
  wait_for_game(*thinker);
  std::this_thread::sleep_for(100ms);
  expect_quick_end(std::move(thinker));
}

}  // namespace
}  // namespace zermelo::serve
