// Conjunctions of goals by their progress, counted one by one.
#include "eval/goal_patterns.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/random_walk.h"
#include "support/load_game.h"

namespace zermelo::eval {
namespace {

using testing::MachinePointer;

// By number of discs from 0 to 2 and player to move: the open lines of tic-tac-toe of one mark.
std::vector<int> open_lines(const machine::Machine& machine, const machine::State& state,
                            char mark) {
  const auto by_name = machine.game().fluents_by_name();
  const auto holds = [&](int x, int y, char what) {
    const std::string name =
        std::string("(cell ") + std::to_string(x) + " " + std::to_string(y) + " " + what + ")";
    return state.test(by_name.at(name));
  };
  constexpr int lines[8][3][2] = {{{1, 1}, {1, 2}, {1, 3}}, {{2, 1}, {2, 2}, {2, 3}},
                                  {{3, 1}, {3, 2}, {3, 3}}, {{1, 1}, {2, 1}, {3, 1}},
                                  {{1, 2}, {2, 2}, {3, 2}}, {{1, 3}, {2, 3}, {3, 3}},
                                  {{1, 1}, {2, 2}, {3, 3}}, {{1, 3}, {2, 2}, {3, 1}}};
  std::vector<int> counts(6);
  const char other = mark == 'x' ? 'o' : 'x';
  const int turn = state.test(by_name.at("(control x)")) ? 0 : 1;
  for (const auto& line : lines) {
    int marks = 0;
    bool is_open = true;
    for (const auto& [x, y] : line) {
      marks += holds(x, y, mark);
      is_open = is_open && !holds(x, y, other);
    }
    if (is_open && marks < 3) ++counts[static_cast<std::size_t>(2 * marks + turn)];
  }
  std::sort(counts.begin(), counts.end());
  return counts;
}

TEST(GoalPatterns, AreTheOpenLinesOfTicTacToe) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const auto patterns = GoalPatterns::make(machine, {}).value();
  EXPECT_EQ(patterns.inputs(), 2u * 3u * 2u);  // lines of two marks, 0 to 2 marks, two players
  analysis::RandomWalk walk(machine, {.seed = 9});
  std::vector<machine::State> states;
  while (states.size() < 64) {
    states.push_back(walk.state());
    if (!walk.advance()) walk.restart();
  }
  BitPlanes planes;
  planes.load(states, 0);
  std::vector<std::uint8_t> counts;
  patterns.count(planes, counts);
  for (std::size_t s = 0; s < states.size(); ++s) {
    std::vector<int> expected = open_lines(*machine, states[s], 'x'), found;
    for (const int count : open_lines(*machine, states[s], 'o')) expected.push_back(count);
    for (std::size_t input = 0; input < patterns.inputs(); ++input) {
      found.push_back(counts[input * states_per_block + s]);
    }
    std::sort(expected.begin(), expected.end());
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
  }
}

TEST(GoalPatterns, AGameMayHaveNone) {
  EXPECT_EQ(GoalPatterns::make(testing::shipped("breakthrough"), {}).value().inputs(), 0u);
}

}  // namespace
}  // namespace zermelo::eval
