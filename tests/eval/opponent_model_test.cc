// Preferences of roles, against values computed by hand.
#include "eval/opponent_model.h"

#include <gtest/gtest.h>

namespace zermelo::eval {
namespace {

TEST(OpponentModel, OwnMaximisesTheOwnRewardThenMinimisesTheOthers) {
  constexpr OpponentModel own = OpponentModel::own;
  EXPECT_TRUE(prefers(own, 0, Rewards{60, 90}, Rewards{50, 0}));
  EXPECT_TRUE(prefers(own, 1, Rewards{10, 50}, Rewards{20, 50}));
  EXPECT_TRUE(prefers(own, 0, Rewards{50, 30, 0}, Rewards{50, 0, 30}));
}

TEST(OpponentModel, DifferenceMaximisesTheMarginOverTheOthers) {
  constexpr OpponentModel difference = OpponentModel::difference;
  EXPECT_TRUE(prefers(difference, 0, Rewards{50, 0}, Rewards{60, 40}));
  EXPECT_TRUE(prefers(difference, 0, Rewards{60, 40}, Rewards{50, 30}));
}

TEST(OpponentModel, WinnersHurryAndLosersDelay) {
  constexpr OpponentModel own = OpponentModel::own;
  const Worth soon{{40, 40}, 2}, late{{40, 40}, 5};
  EXPECT_TRUE(prefers(own, 0, soon, late));
  EXPECT_FALSE(prefers(own, 0, soon, soon));
  const Worth soon_lost{{60, 80}, 2}, late_lost{{60, 80}, 5}, never{{60, 80}, no_distance};
  EXPECT_TRUE(prefers(own, 0, late_lost, soon_lost));
  EXPECT_TRUE(prefers(own, 0, never, late_lost));
  EXPECT_TRUE(prefers(own, 1, soon_lost, never));
  EXPECT_TRUE(prefers(own, 0, late_lost, soon));
}

}  // namespace
}  // namespace zermelo::eval
