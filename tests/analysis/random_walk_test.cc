// Random games, one state at a time.
#include "analysis/random_walk.h"

#include <gtest/gtest.h>

#include "support/load_game.h"

namespace zermelo::analysis {
namespace {

TEST(RandomWalk, FollowsLegalMovesUntilTheEnd) {
  const auto machine = testing::shipped("tic_tac_toe");
  machine::Stepper stepper(machine);
  RandomWalk walk(machine, {.seed = 4});
  for (int game = 0; game < 20; ++game) {
    machine::State before = walk.state();
    EXPECT_EQ(before, stepper.initial_state());
    while (walk.advance()) {
      EXPECT_FALSE(stepper.terminal(before));
      bool is_successor = false;
      for (const auto x : stepper.legal_moves(before, 0)) {
        for (const auto o : stepper.legal_moves(before, 1)) {
          const base::Move joint[] = {x, o};
          is_successor |= stepper.next_state(before, joint) == walk.state();
        }
      }
      EXPECT_TRUE(is_successor);
      before = walk.state();
    }
    EXPECT_TRUE(stepper.terminal(before));
    EXPECT_EQ(before, walk.state());
    walk.restart();
  }
}

TEST(RandomWalk, RespectsTheDepthAndTheEnd) {
  const auto machine = testing::shipped("tic_tac_toe");
  RandomWalk short_walk(machine, {.seed = 1, .max_depth = 2});
  EXPECT_TRUE(short_walk.advance());
  EXPECT_TRUE(short_walk.advance());
  EXPECT_FALSE(short_walk.advance());
  EXPECT_EQ(short_walk.depth(), 2u);
  RandomWalk long_walk(machine, {.seed = 1, .past_terminal = true});
  while (long_walk.advance()) {
  }
  EXPECT_EQ(long_walk.depth(), 9u);  // no free cell is left
}

}  // namespace
}  // namespace zermelo::analysis
