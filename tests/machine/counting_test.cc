// perft and playouts, on both engines.
#include <gtest/gtest.h>

#include <string>

#include "ground/ground.h"
#include "machine/machine.h"
#include "machine/perft.h"
#include "machine/playouts.h"
#include "reference/reference.h"
#include "support/load.h"

namespace zermelo::machine {
namespace {

const std::string tic_tac_toe = R"(
(role x) (role o)
(init (control x))
(number 1) (number 2) (number 3)
(<= (init (cell ?m ?n b)) (number ?m) (number ?n))
(<= (next (cell ?m ?n ?p)) (does ?p (mark ?m ?n)))
(<= (next (cell ?m ?n ?w)) (true (cell ?m ?n ?w)) (does ?p (mark ?j ?k))
    (or (distinct ?m ?j) (distinct ?n ?k)))
(<= (next (control x)) (true (control o)))
(<= (next (control o)) (true (control x)))
(<= (legal ?p (mark ?m ?n)) (true (cell ?m ?n b)) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (line ?p) (number ?m) (true (cell ?m 1 ?p)) (true (cell ?m 2 ?p)) (true (cell ?m 3 ?p)))
(<= (line ?p) (number ?n) (true (cell 1 ?n ?p)) (true (cell 2 ?n ?p)) (true (cell 3 ?n ?p)))
(<= (line ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)) (true (cell 3 3 ?p)))
(<= (line ?p) (true (cell 1 3 ?p)) (true (cell 2 2 ?p)) (true (cell 3 1 ?p)))
(<= open (true (cell ?m ?n b)))
(<= (won ?p) (role ?p) (line ?p))
(<= terminal (won ?p))
(<= terminal (not open))
(<= (goal ?p 100) (won ?p))
(<= (goal ?p 50) (role ?p) (not (won x)) (not (won o)))
(<= (goal ?p 0) (role ?p) (won ?q) (distinct ?p ?q))
)";

// Both move at once; the game ends when they match, at the latest after three rounds.
const std::string matching = R"(
(role a) (role b) (init (round 0)) (after 0 1) (after 1 2) (after 2 3) (side h) (side t)
(<= (legal ?r ?s) (role ?r) (side ?s))
(<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
(<= (next same) (does a ?s) (does b ?s))
(<= terminal (true same))
(<= terminal (true (round 3)))
(<= (goal ?r 100) (role ?r) (true same))
(<= (goal ?r 0) (role ?r) (not (true same)))
)";

// Stops being playable after one move, and has no goal.
const std::string dead_end =
    "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (does r go))"
    "(<= terminal (true c)) (<= (next c) (true c)) (<= (goal r 1) (true c))";

const std::string endless =
    "(role r) (init a) (legal r go) (<= (next a) (true a)) (<= terminal (not (true a)))"
    "(<= (goal r 50) (true a))";

class Counting : public ::testing::TestWithParam<bool> {
 protected:
  template <class Visit>
  void with_engine(const std::string& text, Visit visit) {
    const auto rulesheet = testing::rulesheet(text);
    if (GetParam()) {
      reference::Reference reference = std::move(*reference::Reference::make(rulesheet));
      visit(reference);
    } else {
      Stepper stepper(std::make_shared<const Machine>(*ground::ground(rulesheet)));
      visit(stepper);
    }
  }

  PerftResult count(const std::string& text, std::size_t depth, const base::Limits& limits = {}) {
    PerftResult result;
    with_engine(text, [&](auto& engine) { result = perft(engine, depth, limits); });
    return result;
  }

  PlayoutResult play(const std::string& text, const PlayoutOptions& options) {
    PlayoutResult result;
    with_engine(text, [&](auto& engine) { result = playouts(engine, options); });
    return result;
  }
};

std::vector<std::uint64_t> sequences(const PerftResult& result) {
  std::vector<std::uint64_t> numbers;
  for (const PerftDepth& depth : result.depths) numbers.push_back(depth.sequences);
  return numbers;
}

std::vector<std::uint64_t> terminals(const PerftResult& result) {
  std::vector<std::uint64_t> numbers;
  for (const PerftDepth& depth : result.depths) numbers.push_back(depth.terminal);
  return numbers;
}

TEST_P(Counting, TicTacToe) {
  std::vector<std::uint64_t> all{1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872};
  std::vector<std::uint64_t> ended{0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872};
  const std::size_t depth = GetParam() ? 6 : 9;
  all.resize(depth + 1);
  ended.resize(depth + 1);
  const PerftResult result = count(tic_tac_toe, depth);
  EXPECT_EQ(sequences(result), all);
  EXPECT_EQ(terminals(result), ended);
}

TEST_P(Counting, EveryJointMoveOfASimultaneousGame) {
  const PerftResult result = count(matching, 4);
  EXPECT_EQ(sequences(result), (std::vector<std::uint64_t>{1, 4, 8, 16, 0}));
  EXPECT_EQ(terminals(result), (std::vector<std::uint64_t>{0, 2, 4, 16, 0}));
}

TEST_P(Counting, StopsAtALimit) {
  const PerftResult result =
      count(tic_tac_toe, 9, base::Limits(std::chrono::duration<double>(0), {}));
  EXPECT_EQ(result.stopped, base::ErrorKind::time_limit);
  EXPECT_LT(result.depths.back().sequences, 127872u);
}

// In the middle of a game.
TEST_P(Counting, PlayoutsStopAtALimit) {
  PlayoutOptions options;
  options.count = 1'000'000'000;
  options.max_depth = 1'000'000'000;
  int asked = 0;
  options.limits.end_when([&] { return ++asked > 3; });
  const PlayoutResult result = play(endless, options);
  EXPECT_EQ(result.playouts + result.abandoned + result.stuck, 0u);
}

TEST_P(Counting, AStateWithoutMovesEndsItsSequence) {
  EXPECT_EQ(sequences(count(dead_end, 3)), (std::vector<std::uint64_t>{1, 1, 0, 0}));
}

TEST_P(Counting, MeanDepthAndGoals) {
  const PlayoutResult result = play(tic_tac_toe, {.count = 3000, .seconds = {}});
  EXPECT_EQ(result.playouts, 3000u);
  EXPECT_NEAR(result.mean_depth, 7.63, 0.1);
  EXPECT_NEAR(result.mean_goals[0], 64.8, 3);
  EXPECT_NEAR(result.mean_goals[0] + result.mean_goals[1], 100, 1e-9);
}

TEST_P(Counting, SameSeedSameGames) {
  const auto signature = [&](std::uint64_t seed) {
    return play(matching, {.count = 50, .seconds = {}, .seed = seed}).signature;
  };
  EXPECT_EQ(signature(1), signature(1));
  EXPECT_NE(signature(1), signature(2));
}

TEST_P(Counting, ReportsGamesThatGetStuckOrDoNotEnd) {
  const PlayoutResult stuck = play(dead_end, {.count = 3, .seconds = {}});
  EXPECT_EQ(stuck.stuck, 3u);
  EXPECT_EQ(stuck.playouts, 0u);
  const PlayoutResult abandoned = play(endless, {.count = 2, .seconds = {}, .max_depth = 10});
  EXPECT_EQ(abandoned.abandoned, 2u);
  EXPECT_EQ(abandoned.states, 20u);
}

INSTANTIATE_TEST_SUITE_P(Engines, Counting, ::testing::Bool(), [](const auto& parameter) {
  return parameter.param ? "Reference" : "Machine";
});

TEST(Signature, IsTheSameOnBothEngines) {
  const auto rulesheet = testing::rulesheet(tic_tac_toe);
  reference::Reference slow = std::move(*reference::Reference::make(rulesheet));
  Stepper fast(std::make_shared<const Machine>(*ground::ground(rulesheet)));
  const PlayoutOptions options{.count = 100, .seconds = {}, .seed = 5};
  EXPECT_EQ(playouts(slow, options).signature, playouts(fast, options).signature);
}

}  // namespace
}  // namespace zermelo::machine
