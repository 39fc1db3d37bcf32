// Planning tasks against the games they come from: the shipped_rules single-player games, a part of
// the collection where it exists, and generated rulesheets.
#include <gtest/gtest.h>

#include <filesystem>

#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"
#include "translate/pddl/faithful.h"
#include "translate/pddl/ground.h"
#include "translate/planning_twins.h"
#include "translate/sas/direct.h"
#include "translate/sas/output.h"

namespace zermelo::translate {
namespace {

using RulesheetPointer = std::shared_ptr<const gdl::Rulesheet>;
using testing::PlanningComparison;
using testing::PlanningComparisonOptions;
using testing::PlanningStyle;

constexpr PlanningStyle all_styles[] = {PlanningStyle::faithful, PlanningStyle::ground_pddl,
                                        PlanningStyle::sas};

const char* const shipped_games[] = {
    "blocks_world", "buttons", "eight_puzzle", "fifteen_puzzle", "incredible", "knights_tour",
    "lights_out",   "maze",    "pancakes",     "peg_solitaire",  "queens",     "towers_of_hanoi"};

void expect_same(const RulesheetPointer& rulesheet, PlanningStyle style,
                 const PlanningComparisonOptions& options) {
  const PlanningComparison comparison = testing::compare_planning(rulesheet, style, options);
  EXPECT_EQ(comparison.refused.value_or(""), "");
  EXPECT_EQ(comparison.difference.value_or(""), "");
  EXPECT_GT(comparison.states, 0u);
}

class PlannedGame : public ::testing::TestWithParam<const char*> {};

TEST_P(PlannedGame, AgreesWithItsTasks) {
  const RulesheetPointer rulesheet = testing::shipped_rules(GetParam());
  for (const PlanningStyle style : all_styles)
    expect_same(rulesheet, style, {.playouts = 3, .seconds = std::chrono::seconds(5)});
}

TEST_P(PlannedGame, AgreesWithOneVariablePerFluent) {
  const RulesheetPointer rulesheet = testing::shipped_rules(GetParam());
  expect_same(rulesheet, PlanningStyle::sas, {.playouts = 2, .use_groups = false});
}

TEST_P(PlannedGame, AgreesWithoutItsStepCounter) {
  const RulesheetPointer rulesheet = testing::shipped_rules(GetParam());
  expect_same(rulesheet, PlanningStyle::sas, {.playouts = 2, .drop_step_counter = true});
}

INSTANTIATE_TEST_SUITE_P(Planning, PlannedGame, ::testing::ValuesIn(shipped_games));

// Small games of other authors, with what the shipped_rules ones lack: moves and fluents that are
// constants, goals in bodies, variables for whole moves, recursion, many rewards.
TEST(Planning, CollectedGamesAgreeWithTheirTasks) {
  const std::filesystem::path folder = ZERMELO_ROOT "/../shared/games/games";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no collection of games at " << folder;
  for (const char* name :
       {"8puzzle", "asteroids", "blocksWorldParallel", "coins", "duplicateStateSmall", "futoshiki4",
        "hanoi_6_disks", "hidato19", "lightsOut", "oisters_farm", "peg", "queens06ug",
        "ruleDepthLinear", "troublemaker01", "walkingman"}) {
    const std::filesystem::path file = folder / (std::string(name) + ".kif");
    if (!std::filesystem::exists(file)) continue;
    SCOPED_TRACE(file);
    for (const PlanningStyle style : all_styles) {
      expect_same(testing::rulesheet_file(file), style,
                  {.playouts = 2, .seconds = std::chrono::seconds(10)});
    }
  }
}

TEST(Planning, GeneratedGamesAgreeWithTheirTasks) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::string text = testing::random_single_player_game(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    for (const PlanningStyle style : all_styles)
      expect_same(testing::rulesheet(text), style, {.playouts = 2, .seed = seed});
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace zermelo::translate
