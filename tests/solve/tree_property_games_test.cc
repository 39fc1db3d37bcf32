// The games of the study of game-tree properties: their rules say what the paper says.
#include <gtest/gtest.h>

#include <random>

#include "solve/common/turn.h"
#include "solve/load_game.h"

namespace zermelo::solve {
namespace {

struct Race {
  std::string family;
  int (*penalty)(int distance, int steps);
};

const std::vector<Race> races = {
    {"penalties", [](int, int) { return 1; }},
    {"shock-step", [](int distance, int) { return distance; }},
    {"punishment", [](int distance, int steps) { return distance * steps; }}};

// "(step 3)" is 3.
int lane_of(const std::string& move) { return std::stoi(move.substr(6)); }

// Plays a random game and compares its rewards with penalties that are added up here.
void expect_right_totals(const Race& race, int lanes, int length, std::mt19937& random) {
  machine::Stepper stepper(generated(race.family, {std::to_string(lanes), std::to_string(length)}));
  machine::State state = stepper.initial_state();
  int total[2] = {0, 0}, moves = 0;
  for (; !stepper.terminal(state); ++moves) {
    const std::size_t role = static_cast<std::size_t>(moves % 2);
    const auto legal = stepper.legal_moves(state, role);
    ASSERT_EQ(legal.size(), static_cast<std::size_t>(lanes));
    std::vector<machine::Move> joint = {stepper.legal_moves(state, 0)[0],
                                        stepper.legal_moves(state, 1)[0]};
    joint[role] = legal[random() % legal.size()];
    const int lane = lane_of(stepper.move_name(joint[role])), steps = moves / 2 + 1;
    const int distance = role == 0 ? lane - 1 : lanes - lane;
    if (distance > 0 && steps < length - 1) total[role] += race.penalty(distance, steps);
    state = stepper.next_state(state, joint);
  }
  EXPECT_EQ(moves, 2 * (length - 1));
  const int white = total[0] < total[1] ? 100 : total[0] == total[1] ? 50 : 0;
  EXPECT_EQ(stepper.goals(state, 0), std::vector<int>{white});
  EXPECT_EQ(stepper.goals(state, 1), std::vector<int>{100 - white});
}

TEST(TreePropertyGames, RacesAreWonByTheSmallerTotal) {
  std::mt19937 random(1);
  for (const Race& race : races) {
    for (const auto& [lanes, length] : {std::pair{2, 4}, {4, 6}, {20, 5}, {3, 20}, {20, 20}}) {
      SCOPED_TRACE(race.family + " " + std::to_string(lanes) + " " + std::to_string(length));
      for (int i = 0; i < 5; ++i) expect_right_totals(race, lanes, length, random);
    }
  }
}

TEST(TreePropertyGames, PathsOfARaceNeverMeet) {
  const ExplicitSolution solution = solved(generated("shock-step", {"3", "4"}));
  // Before and after each of the six moves, alternately: 3^0 + 3^1 + ... + 3^6.
  EXPECT_EQ(solution.states(), 1093u);
}

TEST(TreePropertyGames, ARaceIsADrawAndProgressionIsWonByTheFirstPlayer) {
  EXPECT_EQ(solved(generated("punishment", {"3", "4"})).value(), (Rewards{50, 50}));
  EXPECT_EQ(solved(generated("progression", {"1", "1"})).value(), (Rewards{100, 0}));
}

}  // namespace
}  // namespace zermelo::solve
