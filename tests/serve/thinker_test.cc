// The search beside a match: it goes on while the others think, and ends when it is told to.
#include "serve/thinker.h"

#include <gtest/gtest.h>

#include "serve/large_game.h"
#include "support/load.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

TEST(Thinker, TheTreeGrowsWhileTheOthersThink) {
  Thinker thinker(testing::rulesheet_file(ZERMELO_ROOT "/games/connect_four.kif"), 0, {});
  thinker.wait_for_engine(Clock::now() + 20s, {});
  ASSERT_TRUE(thinker.engine());
  thinker.think_about(thinker.engine()->initial());
  const auto latest = Clock::now() + 20s;
  while (!thinker.opinion(Clock::now() + 10ms, {}) && Clock::now() < latest) {
  }
  const std::uint64_t answered = thinker.simulations();
  const auto begin = Clock::now();
  while (thinker.simulations() < 3 * answered && Clock::now() - begin < 20s) {
    std::this_thread::sleep_for(10ms);
  }
  EXPECT_GT(answered, 0u);
  EXPECT_GE(thinker.simulations(), 3 * answered);
}

TEST(Thinker, ThinksNoLongerThanAllowed) {
  ThinkerOptions options;
  options.longest_thought = 50ms;
  Thinker thinker(testing::rulesheet_file(ZERMELO_ROOT "/games/connect_four.kif"), 0, options);
  thinker.wait_for_engine(Clock::now() + 20s, {});
  ASSERT_TRUE(thinker.engine());
  thinker.think_about(thinker.engine()->initial());
  std::this_thread::sleep_for(500ms);
  const std::uint64_t simulations = thinker.simulations();
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(thinker.simulations(), simulations);
  EXPECT_TRUE(thinker.opinion(Clock::now(), {}));
}

TEST(Thinker, EndsAtOnceInTheMiddleOfGrounding) {
  ThinkerOptions options;
  options.grounding_time = 600s;
  auto thinker = std::make_unique<Thinker>(testing::rulesheet(too_large), 0, options);
  std::this_thread::sleep_for(100ms);
  EXPECT_FALSE(thinker->engine());
  const auto begin = Clock::now();
  thinker.reset();
  EXPECT_LT(Clock::now() - begin, 2s);
}

TEST(Thinker, EndsAtOnceInTheMiddleOfAThought) {
  auto thinker = std::make_unique<Thinker>(
      testing::rulesheet_file(ZERMELO_ROOT "/games/connect_four.kif"), 0, ThinkerOptions());
  thinker->wait_for_engine(Clock::now() + 20s, {});
  ASSERT_TRUE(thinker->engine());
  thinker->think_about(thinker->engine()->initial());
  std::this_thread::sleep_for(50ms);
  const auto begin = Clock::now();
  thinker.reset();
  EXPECT_LT(Clock::now() - begin, 1s);
}

}  // namespace
}  // namespace zermelo::serve
