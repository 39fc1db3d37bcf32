#include "search/regret_matching.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "search/uct.h"
#include "support/load.h"

namespace zermelo::search {
namespace {

// Plays a matrix game of two roles against itself. The payoffs are those of the first role.
RegretTable trained(const std::vector<std::vector<double>>& payoffs, int rounds) {
  RegretTable table(
      {static_cast<std::uint32_t>(payoffs.size()), static_cast<std::uint32_t>(payoffs[0].size())});
  base::Random random(1);
  const RegretMatching rule;
  for (int round = 0; round < rounds; ++round) {
    const std::vector<std::uint32_t> joint = {
        static_cast<std::uint32_t>(table.select(0, rule, random)),
        static_cast<std::uint32_t>(table.select(1, rule, random))};
    const double payoff = payoffs[joint[0]][joint[1]];
    table.update(joint, std::vector<double>{payoff, 1 - payoff});
  }
  return table;
}

TEST(RegretMatching, ConvergesToAMixedEquilibrium) {
  // Without a saddle point, each role makes the other indifferent.
  const RegretTable table = trained({{1, 0.25}, {0.5, 0.999999}}, 20'000);
  const double p = (0.999999 - 0.5) / (1 + 0.999999 - 0.25 - 0.5);
  const double q = (0.999999 - 0.25) / (1 + 0.999999 - 0.25 - 0.5);
  EXPECT_NEAR(table.average_strategy(0)[0], p, 0.05);
  EXPECT_NEAR(table.average_strategy(1)[0], q, 0.05);
}

TEST(RegretMatching, FindsASaddlePoint) {
  const RegretTable table = trained({{0.5, 0.6, 0.9}, {0.1, 0.2, 1}}, 5'000);
  EXPECT_GT(table.average_strategy(0)[0], 0.98);
  EXPECT_GT(table.average_strategy(1)[0], 0.98);
}

TEST(RegretMatching, IsUniformWithoutUpdates) {
  const RegretTable table({4, 2});
  for (const double share : table.average_strategy(0)) EXPECT_DOUBLE_EQ(share, 0.25);
}

TEST(RegretMatching, DrawsWithTheGivenProbabilities) {
  base::Random random(3);
  std::vector<int> counts(3);
  for (int i = 0; i < 30'000; ++i) ++counts[draw(std::vector<double>{0.5, 0.5, 0}, random)];
  EXPECT_NEAR(counts[0], 15'000, 600);
  EXPECT_EQ(counts[2], 0);
}

TEST(RegretMatching, UctMixesInRockPaperScissors) {
  const auto simulator = make_simulator(testing::shipped_rules("rock_paper_scissors"), {}).value();
  UctOptions options;
  options.regret_matching = RegretMatching();
  Uct uct(simulator, options);
  uct.set_root(simulator->initial());
  uct.search({{}, 500'000});
  for (std::size_t role = 0; role < 2; ++role) {
    const std::vector<double> strategy = uct.strategy(role);
    EXPECT_NEAR(std::accumulate(strategy.begin(), strategy.end(), 0.0), 1, 1e-9);
    for (const double share : strategy) EXPECT_NEAR(share, 1.0 / 3, 0.1);
  }
  std::vector<int> played(3);
  const std::vector<MoveReport> moves = uct.moves(0);
  for (int i = 0; i < 300; ++i) {
    const Move move = uct.best_move(0);
    for (std::size_t m = 0; m < 3; ++m) played[m] += moves[m].move == move;
  }
  for (const int times : played) EXPECT_GT(times, 50);
}

}  // namespace
}  // namespace zermelo::search
