// What `auto` decides, and that it plays every game in time.
#include "play/auto_choice.h"

#include <gtest/gtest.h>

#include <chrono>

#include "families/families.h"
#include "play/match.h"
#include "support/load.h"

namespace zermelo::play {
namespace {

using Kind = AgentSpec::Kind;
using SimulatorPointer = std::shared_ptr<const search::Simulator>;

SimulatorPointer simulator_of(const std::string& game) {
  return search::make_simulator(testing::rulesheet_file(ZERMELO_ROOT "/games/" + game + ".kif"), {})
      .value();
}

AutoChoice choice_for(const SimulatorPointer& simulator, const std::string& text) {
  return choose_automatically(parse_agent(text).value(), {simulator, 0, 1});
}

TEST(AutoChoice, TraitsDecideWhereTheyAreCertain) {
  EXPECT_EQ(choice_for(simulator_of("eight_puzzle"), "auto").spec.kind, Kind::plan);
  EXPECT_EQ(choice_for(simulator_of("rock_paper_scissors"), "auto").spec.kind, Kind::uct);
  EXPECT_EQ(choice_for(simulator_of("tic_tac_toe"), "auto").spec.kind, Kind::perfect);
  const SimulatorPointer reference =
      search::make_reference_simulator(
          testing::rulesheet_file(ZERMELO_ROOT "/games/connect_four.kif"))
          .value();
  const AutoChoice choice = choice_for(reference, "auto");
  EXPECT_EQ(choice.spec.kind, Kind::uct);
  EXPECT_EQ(choice.reason, "uct: the rules could not be grounded");
}

TEST(AutoChoice, RespectsItsTime) {
  const SimulatorPointer simulator = simulator_of("breakthrough");
  const auto start = std::chrono::steady_clock::now();
  const AutoChoice choice = choice_for(simulator, "auto:prepare=0.5s");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_NE(choice.spec.kind, Kind::automatic);
  EXPECT_FALSE(choice.reason.empty());
}

// A number of simulations makes the player repeatable, so nothing may depend on time.
TEST(AutoChoice, GivenSimulationsMeanUct) {
  const AutoChoice choice = choice_for(simulator_of("connect_four"), "auto:simulations=100");
  EXPECT_EQ(choice.spec.kind, Kind::uct);
  EXPECT_EQ(choice.spec.simulations, 100u);
}

TEST(AutoChoice, SolvedGamesArePlayedPerfectly) {
  const SimulatorPointer simulator = simulator_of("tic_tac_toe");
  MatchOptions options;
  options.games = 20;
  const auto result =
      run_match(simulator,
                {parse_agent("auto").value(), parse_agent("uct:simulations=300").value()}, options);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->choices[0], "perfect: the game was solved");
  EXPECT_EQ(result->choices[1], "");
  for (const PlayedGame& game : result->games) {
    const std::size_t role = game.seating[0] == 0 ? 0 : 1;
    EXPECT_GE(game.goals[role], 50);
  }
}

// Winning may require progress on a cycle of won states.
TEST(AutoChoice, SolvedGamesWithCyclesAreWon) {
  const SimulatorPointer simulator = search::make_simulator(testing::rulesheet(R"(
        (role a) (role b) (init (cell 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (legal a left) (legal a right) (legal b noop)
        (<= (next (cell ?y)) (does a right) (true (cell ?x)) (after ?x ?y))
        (<= (next (cell ?x)) (does a left) (true (cell ?y)) (after ?x ?y))
        (<= (next (cell 1)) (does a left) (true (cell 1)))
        (<= terminal (true (cell 5)))
        (<= (goal a 100) (true (cell 5))) (<= (goal a 0) (not (true (cell 5)))) (goal b 0))"),
                                                            {})
                                         .value();
  const AutoChoice choice = choice_for(simulator, "auto");
  ASSERT_EQ(choice.spec.kind, Kind::perfect);
  const auto agent = make_agent(choice.spec, {simulator, 0, 1}).value();
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  for (int move = 0; move < 4; ++move) {
    walker->make(std::vector<Move>{agent->choose(walker->state(), {}), walker->legal(1).front()});
  }
  EXPECT_TRUE(walker->terminal());
}

TEST(AutoChoice, PlaysEveryShippedKindOfGame) {
  for (const char* game : {"breakthrough", "chomp", "clobber", "connect_four", "double_tic_tac_toe",
                           "eight_puzzle", "three_player_tic_tac_toe", "chinese_checkers_3"}) {
    SCOPED_TRACE(game);
    const SimulatorPointer simulator = simulator_of(game);
    const std::vector<AgentSpec> players(simulator->roles().size(),
                                         parse_agent("auto:time=3ms,prepare=0.2s").value());
    const auto result = run_match(simulator, players, {});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->completed, 1u);
  }
}

}  // namespace
}  // namespace zermelo::play
