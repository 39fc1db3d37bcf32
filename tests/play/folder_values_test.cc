// Values from a solution folder, for the same game and for others.
#include "play/folder_values.h"

#include <gtest/gtest.h>

#include "solve/stored_game.h"

namespace zermelo::play {
namespace {

// Right is worth 100, left as much as given.
std::string left_or_right(const std::string& left) {
  return "(role a) (init start) (legal a left) (legal a right)"
         "(<= (next (went ?m)) (does a ?m))"
         "(<= terminal (true (went ?m)))"
         "(<= (goal a 100) (true (went right)))"
         "(<= (goal a " +
         left + ") (true (went left)))";
}

class ValuesOfFolder : public ::testing::Test {
 protected:
  ValuesOfFolder() { solve::store_in(folder_, solve::solved(machine_)); }

  solve::MachinePointer machine_ = solve::from_text(left_or_right("0"));
  solve::TemporaryFolder folder_;
};

TEST_F(ValuesOfFolder, AreAvailableForTheSameRules) {
  const auto machine = solve::from_text("; in another layout\n\n" + left_or_right("0"));
  const auto values = open_folder_values(folder_.path(), machine);
  ASSERT_TRUE(values.has_value()) << values.error().message;
  machine::Stepper stepper(machine);
  EXPECT_EQ((*values)->value(stepper.initial_state()), eval::Rewards{100});
}

TEST_F(ValuesOfFolder, AreRejectedForOtherGoals) {
  const auto values = open_folder_values(folder_.path(), solve::from_text(left_or_right("50")));
  ASSERT_FALSE(values.has_value());
  EXPECT_EQ(values.error().kind, base::ErrorKind::not_applicable);
}

}  // namespace
}  // namespace zermelo::play
