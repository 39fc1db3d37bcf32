// Known numbers of states, by plain enumeration.
#include "analysis/reachable.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"

namespace zermelo::analysis {
namespace {

machine::Stepper shipped_stepper(const std::string& name) {
  auto game = ground::ground(testing::rulesheet_file(ZERMELO_ROOT "/games/" + name));
  EXPECT_TRUE(game.has_value());
  return machine::Stepper(std::make_shared<const machine::Machine>(std::move(*game)));
}

TEST(Reachable, TicTacToe) {
  machine::Stepper stepper = shipped_stepper("tic_tac_toe.kif");
  const auto found = enumerate(stepper, {});
  EXPECT_TRUE(found.complete);
  EXPECT_EQ(found.states.size(), 5478u);
}

TEST(Reachable, StopsAtItsLimit) {
  machine::Stepper stepper = shipped_stepper("tic_tac_toe.kif");
  const auto found = enumerate(stepper, {.max_states = 100, .limits = {}});
  EXPECT_FALSE(found.complete);
  EXPECT_GT(found.states.size(), 100u);
  EXPECT_LT(found.states.size(), 120u);
}

TEST(Reachable, LinesLeadToTheirStates) {
  machine::Stepper stepper = shipped_stepper("tic_tac_toe.kif");
  const auto found = enumerate(stepper, {.max_states = 500, .limits = {}});
  const StateIndex last = found.expanded() - 1;
  const std::vector<StateIndex> path = path_to(found, last);
  const Line line = line_along(stepper, found, path);
  ASSERT_EQ(line.size() + 1, path.size());
  for (const auto& joint : line) EXPECT_EQ(joint.size(), 2u);
  EXPECT_TRUE(find_joint_move(stepper, found.states[last], found.states[0]).empty());
}

}  // namespace
}  // namespace zermelo::analysis
