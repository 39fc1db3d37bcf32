// Evaluations learned from random games.
#include "eval/linear_evaluator.h"

#include <gtest/gtest.h>

#include "support/load_game.h"

namespace zermelo::eval {
namespace {

using testing::MachinePointer;

std::shared_ptr<const LinearEvaluator> learned(const MachinePointer& machine,
                                               std::size_t positions = 2'048) {
  const auto code = lanes::make_sliced_code(machine->compiled(), {}).value();
  return LinearEvaluator::learn(machine, *code, {.positions = positions}).value();
}

// The sum of the weights of the white pawns of a row.
float weight_of_row(const machine::Machine& machine, const LinearEvaluator& evaluator, int row) {
  const auto by_name = machine.game().fluents_by_name();
  float sum = 0;
  for (int column = 1; column <= 8; ++column) {
    const auto name = "(cell " + std::to_string(column) + " " + std::to_string(row) + " white)";
    sum += evaluator.weight(by_name.at(name), 0);
  }
  return sum;
}

TEST(LinearEvaluator, LearnsThatPawnsOfBreakthroughShouldAdvance) {
  const MachinePointer machine = testing::shipped("breakthrough");
  const auto evaluator = learned(machine);
  EXPECT_GT(weight_of_row(*machine, *evaluator, 6), weight_of_row(*machine, *evaluator, 4));
  EXPECT_GT(weight_of_row(*machine, *evaluator, 7), weight_of_row(*machine, *evaluator, 5));
}

// The centre is the best cell of tic-tac-toe, and a corner is better than an edge.
TEST(LinearEvaluator, LearnsTheCellsOfTicTacToe) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const auto evaluator = learned(machine);
  const auto by_name = machine->game().fluents_by_name();
  const auto weight = [&](const std::string& cell) {
    return evaluator->weight(by_name.at("(cell " + cell + " x)"), 0);
  };
  EXPECT_GT(weight("2 2"), weight("1 1"));
  EXPECT_GT(weight("1 1"), weight("1 2"));
}

TEST(LinearEvaluator, RewardsStayInTheirRange) {
  const MachinePointer machine = testing::shipped("connect_four");
  const auto evaluator = learned(machine, 512);
  std::vector<machine::State> states(2, machine::Stepper(machine).initial_state());
  for (std::size_t f = 0; f < machine->game().fluents.size(); ++f) states[1].set(f);
  float values[4];
  evaluator->evaluate(states, values);
  for (const float value : values) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 100);
  }
  EXPECT_NEAR(values[0] + values[1], 100, 10);  // the goals are opposed
}

TEST(LinearEvaluator, ASeedGivesTheSameWeights) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const auto a = learned(machine, 256), b = learned(machine, 256);
  for (ground::Atom f = 0; f < machine->game().fluents.size(); ++f) {
    EXPECT_EQ(a->weight(f, 0), b->weight(f, 0));
  }
}

TEST(LinearEvaluator, StopsAtALimit) {
  const MachinePointer machine = testing::shipped("breakthrough");
  const auto code = lanes::make_sliced_code(machine->compiled(), {}).value();
  LearningOptions options;
  options.limits = base::Limits(std::chrono::duration<double>(0), {});
  const auto learned = LinearEvaluator::learn(machine, *code, options);
  ASSERT_FALSE(learned.has_value());
  EXPECT_EQ(learned.error().kind, base::ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::eval
