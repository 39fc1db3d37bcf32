#include "search/bandit.h"

#include <gtest/gtest.h>

namespace zermelo::search {
namespace {

TEST(Bandit, HandBuiltPathsMatchThePaper) {
  const Bandit bandit = hand_built_bandit(20);
  ASSERT_EQ(bandit.size(), 20u);
  for (std::size_t k = 0; k < 400; ++k) EXPECT_EQ(bandit[0][k], bandit[1][k]);
  EXPECT_EQ(bandit[0].back(), 1);
  EXPECT_EQ(bandit[1].back(), 0);
  EXPECT_EQ(bandit[7][498], 0.4f);
  EXPECT_EQ(bandit[7].back(), 0);
}

TEST(Bandit, RandomWalksEndAtTheirValue) {
  base::Random random(2);
  const Bandit bandit = random_bandit(20, 6, random);
  for (std::size_t arm = 0; arm < 20; ++arm) {
    EXPECT_LE(bandit[arm].size(), 500u);
    EXPECT_EQ(bandit[arm].front(), 0.5f);
    EXPECT_EQ(bandit[arm].back(), arm < 6 ? 1 : 0);
    for (std::size_t k = 1; k < bandit[arm].size(); ++k) {
      EXPECT_NEAR(std::abs(bandit[arm][k] - bandit[arm][k - 1]), 0.05, 1e-6);
    }
  }
}

// Two arms with constant means 1 and 0: after one sample of each, every agent is right.
TEST(Bandit, AgentsNameTheBetterArm) {
  BanditOptions options{100, 1, 20, 1};
  for (const BanditAgent& agent : paper_agents(paper_setups()[0])) {
    const std::vector<double> shares = run_trial({{1.0f}, {0.0f}}, agent, options);
    ASSERT_EQ(shares.size(), 100u);
    EXPECT_EQ(shares[1], 1) << agent.name;
    EXPECT_EQ(shares.back(), 1) << agent.name;
  }
}

// The paper's curves start near chance and rise, as the winner is distinguishable only after its
// first 400 samples.
TEST(Bandit, UctLearnsTheWinner) {
  BanditOptions options{3'000, 10, 60, 1};
  const BanditSetup setup = paper_setups()[0];
  const auto shares = mean_shares(run_models(setup, paper_agents(setup)[0], options), options);
  EXPECT_LT(shares[2].mean, 0.4);
  EXPECT_GT(shares.back().mean, 0.7);
  EXPECT_GT(shares[50].half_width, 0.05);
}

TEST(Bandit, DifferencesArePairedByModel) {
  const Shares first = {{0.5, 0.9}, {0.7, 0.3}, {0.6, 0.6}};
  const Shares second = {{0.4, 0.9}, {0.6, 0.3}, {0.5, 0.6}};
  const auto differences = mean_differences(first, second, {});
  EXPECT_NEAR(differences[0].mean, 0.1, 1e-12);
  EXPECT_NEAR(differences[0].half_width, 0, 1e-12);
  EXPECT_EQ(differences[1].mean, 0);
  BanditOptions options;
  options.tasks = 100;
  const auto alone = mean_differences({{0.5}}, {{0.4}}, options);
  EXPECT_NEAR(alone[0].mean, 0.1, 1e-12);
  EXPECT_NEAR(alone[0].half_width, 0.14, 0.01);
}

}  // namespace
}  // namespace zermelo::search
