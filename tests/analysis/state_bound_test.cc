#include "analysis/state_bound.h"

#include <gtest/gtest.h>

#include <unordered_set>

#include "base/random.h"
#include "ground/ground.h"
#include "support/load.h"

namespace zermelo::analysis {
namespace {

StateBound bound_of(const std::string& file, const StateBoundOptions& options) {
  auto game = ground::ground(testing::rulesheet_file(ZERMELO_ROOT "/games/" + file + ".kif"));
  EXPECT_TRUE(game.has_value());
  return bound_states(std::make_shared<const machine::Machine>(std::move(*game)), options);
}

std::uint64_t repeated_in(base::Random& random, std::uint64_t samples, std::uint32_t values) {
  std::unordered_set<std::uint32_t> seen;
  for (std::uint64_t i = 0; i < samples; ++i) seen.insert(random.below(values));
  return samples - seen.size();
}

TEST(StateBound, OfUniformValuesIsBelowTheirNumberAndNotByMuch) {
  base::Random random(1);
  for (const std::uint32_t values : {10U, 1'000U, 100'000U, 10'000'000U}) {
    const std::uint64_t samples = 20'000;
    const double bound = min_values(samples, repeated_in(random, samples, values), 0.001);
    EXPECT_LE(bound, values);
    if (values > samples) {
      EXPECT_GE(bound, values / 5.0) << values;
    }
  }
}

TEST(StateBound, WithoutRepetitionsGrowsWithTheSquareOfTheSamples) {
  EXPECT_NEAR(min_values(200'000, 0, 0.001) / min_values(2'000, 0, 0.001), 10'000, 100);
}

TEST(StateBound, IsRarelyWrong) {
  base::Random random(2);
  int wrong = 0;
  for (int trial = 0; trial < 2'000; ++trial) {
    wrong += min_values(300, repeated_in(random, 300, 2'000), 0.05) > 2'000;
  }
  EXPECT_LE(wrong, 100);
}

TEST(StateBound, OfAGameIsBelowItsNumberOfStates) {
  const StateBound bound =
      bound_of("tic_tac_toe", {.max_games = 20'000, .seconds = std::chrono::seconds(60)});
  EXPECT_EQ(bound.games, 20'000U);
  EXPECT_LE(bound.states, 5'478);
  EXPECT_GE(bound.states, 1'000);
}

TEST(StateBound, DetectsAGameTooLargeToEnumerate) {
  const StateBound bound =
      bound_of("breakthrough", {.max_games = 20'000, .seconds = std::chrono::seconds(60)});
  EXPECT_GE(bound.states, 5e6);
}

TEST(StateBound, RespectsLimits) {
  StateBoundOptions options{.seconds = std::chrono::hours(1)};
  options.max_games = ~std::uint64_t{0};
  int asked = 0;
  options.limits.end_when([&] { return ++asked > 10; });
  EXPECT_GE(bound_of("breakthrough", options).states, 1);
}

}  // namespace
}  // namespace zermelo::analysis
