// The formulas of selection and backup against values computed by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "search/backup.h"
#include "search/selection.h"

namespace zermelo::search {
namespace {

MoveStatistics tried(std::uint32_t visits, double value) {
  MoveStatistics move;
  move.visits = visits;
  move.value = value;
  return move;
}

Selected select_from(const std::vector<MoveStatistics>& moves, const SelectionRule& rule) {
  double samples = 0;
  for (const MoveStatistics& move : moves) samples += move.visits + move.in_flight;
  base::Random random(1);
  return select(moves, samples, 0, rule, random);
}

TEST(Selection, UpperBoundIsEquationOne) {
  // 0.4 sqrt(ln 100 / 25) = 0.4 * 0.42919
  EXPECT_NEAR(upper_bound(0.5, spread(0.4, 100), 25), 0.67168, 1e-5);
}

TEST(Selection, ExploresTheMoveWithFewerSamples) {
  // Bounds 0.55 + 0.4 sqrt(ln 100 / 90) = 0.640 and 0.4 + 0.4 sqrt(ln 100 / 10) = 0.671.
  const std::vector<MoveStatistics> moves = {tried(90, 0.55), tried(10, 0.4)};
  EXPECT_EQ(select_from(moves, {}).index, 1u);
  EXPECT_EQ(select_from(moves, {.exploration = 0.1, .sufficiency = {}, .rave = {}}).index, 0u);
}

TEST(Selection, TriesEveryMoveFirst) {
  EXPECT_EQ(select_from({tried(5, 1), tried(0, 0), tried(5, 1)}, {}).index, 1u);
}

TEST(Selection, ThresholdDisablesExploration) {
  SelectionRule rule;
  rule.sufficiency = 0.6;
  EXPECT_FALSE(is_sufficient(std::vector{tried(9, 0.6), tried(9, 0.1)}, rule));
  EXPECT_TRUE(is_sufficient(std::vector{tried(9, 0.61), tried(9, 0.1)}, rule));
  // Without the threshold, the second move has a far higher bound.
  const std::vector<MoveStatistics> moves = {tried(1000, 0.62), tried(1, 0.6), tried(0, 0)};
  EXPECT_EQ(select_from(moves, rule).index, 0u);
  EXPECT_EQ(select_from(moves, {}).index, 2u);
}

TEST(Selection, PlayoutsInFlightCountAsLost) {
  MoveStatistics move = tried(30, 0.8);
  move.in_flight = 10;
  EXPECT_DOUBLE_EQ(estimate(move, {}), 0.6);
}

TEST(Selection, RaveWeightFallsWithSamples) {
  SelectionRule rule;
  rule.rave = 300;
  MoveStatistics move = tried(0, 0);
  move.rave_value = 0.5f;
  move.rave_visits = 10;
  EXPECT_DOUBLE_EQ(estimate(move, rule), 0.5);
  move.visits = 300;  // weight sqrt(300 / 1200) = 1/2
  move.value = 0.9;
  EXPECT_DOUBLE_EQ(estimate(move, rule), 0.7);
}

TEST(Selection, ProvedMovesNeedNoExploration) {
  const Worth lost = {{0, 100}, 1}, won = {{100, 0}, 1};
  std::vector<MoveStatistics> moves = {tried(1, 0.9), tried(1000, 0.1)};
  moves[0].exact = &lost;
  EXPECT_EQ(select_from(moves, {}).index, 1u);
  EXPECT_EQ(select_from(moves, {}).known, nullptr);
  moves[0].exact = &won;
  EXPECT_EQ(select_from(moves, {}).index, 1u);
  EXPECT_EQ(select_from(moves, {}).known, &won);
}

TEST(Selection, FinalMoveIsProvedOrSecure) {
  const Worth lost = {{0, 100}, 1}, won = {{100, 0}, 1};
  std::vector<MoveStatistics> moves = {tried(900, 0.6), tried(4, 0.9), tried(50, 0.5)};
  EXPECT_EQ(select_final(moves, 954, 0, {}), 0u);
  moves[2].exact = &won;
  EXPECT_EQ(select_final(moves, 954, 0, {}), 2u);
  moves[2].exact = &lost;
  moves[0].exact = &lost;
  EXPECT_EQ(select_final(moves, 954, 0, {}), 1u);
}

// 0.8 is larger as a float than as a double.
TEST(Selection, RoundingDoesNotLowerProvedValues) {
  const Worth best = {{80, 0}, 1};
  std::vector<MoveStatistics> moves = {tried(1'000'000, 0.8f), tried(1, 0)};
  moves[1].exact = &best;
  EXPECT_EQ(select_final(moves, 1'000'001, 0, {}), 1u);
}

TEST(Selection, ProvedMovesWithEqualRewardAreOrderedByTheModel) {
  const Worth generous = {{50, 50}, 1}, harsh = {{50, 0}, 1};
  std::vector<MoveStatistics> moves = {tried(1, 0), tried(1, 0), tried(100, 0.1)};
  moves[0].exact = &generous;
  moves[1].exact = &harsh;
  EXPECT_EQ(select_final(moves, 102, 0, {}), 1u);
  EXPECT_EQ(select_from(moves, {}).known, &harsh);
}

TEST(Selection, TheWinnerTakesTheShortestOfEqualProvedMoves) {
  const Worth soon = {{100, 0}, 3}, late = {{100, 0}, 9};
  std::vector<MoveStatistics> moves = {tried(9, 1), tried(9, 1), tried(9, 1)};
  for (MoveStatistics& move : moves) move.exact = &late;
  moves[1].exact = &soon;
  EXPECT_EQ(select_final(moves, 27, 0, {}), 1u);
  moves[2].exact = &soon;
  EXPECT_EQ(select_final(moves, 27, 1, {}), 0u);
}

TEST(Backup, ArithmeticMean) {
  MoveStatistics move;
  for (const double reward : {1.0, 0.0, 0.0, 1.0, 1.0}) update(move, reward, 1, std::nullopt);
  EXPECT_EQ(move.visits, 5u);
  EXPECT_DOUBLE_EQ(move.value, 0.6);
}

// Means up to M = 2 samples, then steps of 0.1: 0.5, 0.45, 0.505.
TEST(Backup, MovingAverageIsEquationsThreeAndFour) {
  const MovingAverage average{2, 0.1};
  MoveStatistics move;
  update(move, 1, 1, average);
  update(move, 0, 1, average);
  EXPECT_DOUBLE_EQ(move.value, 0.5);
  update(move, 0, 1, average);
  EXPECT_DOUBLE_EQ(move.value, 0.45);
  update(move, 1, 1, average);
  EXPECT_DOUBLE_EQ(move.value, 0.505);
}

TEST(Backup, PlayoutsOfALeafCountWithTheirMean) {
  MoveStatistics move;
  update(move, 0.25, 4, std::nullopt);
  update(move, 0.75, 12, std::nullopt);
  EXPECT_EQ(move.visits, 16u);
  EXPECT_DOUBLE_EQ(move.value, 0.625);
}

// Also in a batch that exceeds M.
TEST(Backup, MovingAverageCountsPlayouts) {
  const MovingAverage average{10, 0.1};
  MoveStatistics at_once, one_by_one;
  for (const auto& [reward, playouts] : {std::pair(0.25, 4u), {0.75, 12u}, {0.125, 8u}}) {
    update(at_once, reward, playouts, average);
    for (std::uint32_t i = 0; i < playouts; ++i) update(one_by_one, reward, 1, average);
    EXPECT_NEAR(at_once.value, one_by_one.value, 1e-12);
  }
  MoveStatistics first;
  update(first, 0.5, 32, average);
  EXPECT_DOUBLE_EQ(first.value, 0.5);
}

TEST(Backup, CountsSaturate) {
  constexpr std::uint32_t most = ~std::uint32_t{0};
  MoveStatistics move = tried(most - 10, 0.5);
  update(move, 1, 256, std::nullopt);
  EXPECT_EQ(move.visits, most);
  EXPECT_GT(move.value, 0.5);
  EXPECT_NEAR(move.value, 0.5, 1e-6);
}

// A root with two moves of one role, whose second leads to a leaf.
struct SmallTree {
  explicit SmallTree(std::uint32_t playouts) {
    root.choices = std::make_unique<Choices>();
    root.choices->first = {0, 2};
    root.choices->moves.resize(2);
    root.choices->moves[0].move = 7;
    root.choices->moves[1].move = 8;
    root.choices->in_flight = root.choices->moves[1].in_flight = playouts;
    path.start(&root, playouts);
    path.nodes.push_back(&leaf);
    path.indices = {1};
    path.known = {nullptr};
  }

  Node root, leaf;
  Path path;
};

TEST(Backup, CancelledPathsAreNotInFlight) {
  SmallTree tree(3);
  cancel({&tree.path, 1}, 1);
  EXPECT_EQ(tree.root.choices->in_flight, 0u);
  EXPECT_EQ(tree.root.choices->moves[1].in_flight, 0u);
  EXPECT_EQ(tree.root.choices->moves[1].visits, 0u);
}

// Move 7 was made in the playout, which earned 0; above the proved node it does not count.
TEST(Backup, RaveLearnsNothingFromALineThatWasReplaced) {
  const Worth won = {{100}, 1};
  const std::vector<std::vector<Move>> lines = {{7}};
  const std::vector<float> rewards = {0};
  BackupRule rule;
  rule.rave = true;
  for (const bool is_replaced : {false, true}) {
    SmallTree below(1), above(1);
    above.path.start(&above.root, 1);
    above.path.nodes = {&above.root, &below.root, &below.leaf};
    above.path.indices = {1, 1};
    above.path.known = {nullptr, is_replaced ? &won : nullptr};
    const Sample sample{rewards, lines};
    Tree tree;
    backup(tree, {&above.path, 1}, {&sample, 1}, rule);
    EXPECT_EQ(above.root.choices->moves[0].rave_visits, is_replaced ? 0u : 1u);
    EXPECT_EQ(above.root.choices->moves[1].value, is_replaced ? 1 : 0);
  }
}

TEST(Backup, DefaultsMatchThePaper) {
  EXPECT_EQ(MovingAverage().start, 30u);
  EXPECT_EQ(MovingAverage().step, 0.05);
  EXPECT_EQ(SelectionRule().exploration, 0.4);
}

TEST(Backup, TheBestPossibleOutcomeLeavesTheOthersTheLeast) {
  BackupRule rule;
  rule.best_goals = {100, 100};
  EXPECT_TRUE(is_best_possible({100, 0}, 0, rule));
  EXPECT_FALSE(is_best_possible({100, 50}, 0, rule));
  EXPECT_FALSE(is_best_possible({50, 0}, 0, rule));
}

}  // namespace
}  // namespace zermelo::search
