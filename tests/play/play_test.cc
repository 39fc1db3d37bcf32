// Specifications of players, matches and their statistics, records.
#include <gtest/gtest.h>

#include <thread>

#include "play/match.h"
#include "support/load.h"

namespace zermelo::play {
namespace {

std::shared_ptr<const search::Engine> shipped(const std::string& name) {
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif");
  return search::make_engine(rules, {}).value();
}

std::vector<AgentSpec> players(const std::vector<std::string>& texts) {
  std::vector<AgentSpec> specs;
  for (const std::string& text : texts) specs.push_back(parse_agent(text).value());
  return specs;
}

TEST(AgentSpec, OptionsAreRead) {
  const AgentSpec spec = parse_agent("uct:time=250ms,variant=st+ma,c=0.7,threads=2").value();
  EXPECT_EQ(spec.kind, AgentSpec::Kind::uct);
  EXPECT_EQ(spec.time, Seconds(0.25));
  EXPECT_TRUE(spec.variant.sufficiency && spec.variant.moving_average);
  EXPECT_FALSE(spec.variant.rave || spec.variant.mast);
  EXPECT_EQ(spec.exploration, 0.7);
  EXPECT_EQ(spec.threads, 2u);
  EXPECT_EQ(parse_agent("uct:memory=2M").value().memory_bytes, 2u << 20);
  EXPECT_EQ(parse_agent("perfect:some/folder").value().folder, "some/folder");
}

TEST(AgentSpec, NonsenseIsRefused) {
  for (const char* text :
       {"", "deep", "uct:time", "uct:time=fast", "uct:variant=best", "uct:threads=0",
        "random:time=1s", "perfect", "uct:ponder=maybe", "alphabeta:variant=st", "uct:memory=1X"}) {
    EXPECT_FALSE(parse_agent(text).has_value()) << text;
  }
}

TEST(AgentSpec, VariantsBecomeOptions) {
  const auto engine = shipped("connect_four");
  const auto options = [&](const char* spec) {
    return uct_options(parse_agent(spec).value(), {engine, 0, 1});
  };
  EXPECT_EQ(options("uct:variant=st").selection.sufficiency, 0.6);
  EXPECT_TRUE(options("uct:variant=st+ma").moving_average.has_value());
  EXPECT_TRUE(options("uct").proofs);
  EXPECT_FALSE(options("uct:proofs=no").proofs);
  EXPECT_FALSE(options("uct").selection.sufficiency || options("uct:variant=st").moving_average);
}

std::uint64_t simulations_with_a_pause(const std::string& spec) {
  const auto engine = shipped("connect_four");
  const auto agent = make_agent(parse_agent(spec).value(), {engine, 0, 1}).value();
  agent->ponder(engine->initial());
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  agent->choose(engine->initial(), std::nullopt);
  return agent->simulations();
}

TEST(Ponder, TheTreeGrowsWhileTheOthersThink) {
  const std::uint64_t alone = simulations_with_a_pause("uct:simulations=256");
  EXPECT_GE(alone, 256u);
  EXPECT_GT(simulations_with_a_pause("uct:simulations=256,ponder=yes"), 2 * alone);
}

TEST(Ponder, GoesOnWhereThereIsNoChoice) {
  const auto engine = shipped("connect_four");
  const auto agent =
      make_agent(parse_agent("uct:simulations=256,ponder=yes").value(), {engine, 1, 1}).value();
  agent->ponder(engine->initial());
  EXPECT_EQ(engine->move_name(agent->choose(engine->initial(), std::nullopt)), "noop");
  EXPECT_EQ(agent->simulations(), 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  agent->ponder(engine->initial());
  EXPECT_GT(agent->simulations(), 0u);
}

TEST(Ponder, EndsAtOnceWithTheAgent) {
  const auto engine = shipped("connect_four");
  auto agent = make_agent(parse_agent("uct:ponder=yes").value(), {engine, 0, 1}).value();
  agent->ponder(engine->initial());
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const auto begin = std::chrono::steady_clock::now();
  agent.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(Match, PlayersThatPonder) {
  const auto engine = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 4;
  options.threads = 2;
  const auto result =
      run_match(engine, players({"uct:time=10ms,ponder=yes", "uct:time=10ms,ponder=yes"}), options)
          .value();
  EXPECT_EQ(result.completed, 4u);
  EXPECT_EQ(result.goals[0].mean, 50);
}

TEST(Match, RolesRotateAndSeedsRepeat) {
  const auto engine = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 6;
  options.threads = 2;
  const auto first = run_match(engine, players({"random", "legal"}), options).value();
  const auto again = run_match(engine, players({"random", "legal"}), options).value();
  EXPECT_EQ(first.records, again.records);
  EXPECT_EQ(first.records[0].players, (std::vector<std::string>{"random", "legal"}));
  EXPECT_EQ(first.records[1].players, (std::vector<std::string>{"legal", "random"}));
  options.seed = 2;
  EXPECT_NE(run_match(engine, players({"random", "legal"}), options)->records, first.records);
}

TEST(Match, MeansAreOfThePlayersNotOfTheRoles) {
  const auto engine = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 9;
  const auto result = run_match(engine, players({"random", "random"}), options).value();
  std::vector<double> goals;
  for (std::size_t game = 0; game < 9; ++game) {
    goals.push_back(result.records[game].goals[game % 2]);
  }
  const base::Interval expected = base::confidence_95(goals);
  EXPECT_DOUBLE_EQ(result.goals[0].mean, expected.mean);
  EXPECT_DOUBLE_EQ(result.goals[0].half_width, expected.half_width);
  EXPECT_DOUBLE_EQ(result.goals[0].mean + result.goals[1].mean, 100);
  EXPECT_EQ(result.completed, 9u);
}

TEST(Match, SearchBeatsRandom) {
  const auto engine = shipped("connect_four");
  MatchOptions options;
  options.games = 6;
  const auto result =
      run_match(engine, players({"uct:simulations=3000", "random"}), options).value();
  EXPECT_EQ(result.goals[0].mean, 100);
}

TEST(Match, AlphaBetaDoesNotLoseTicTacToe) {
  const auto engine = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 8;
  const auto result =
      run_match(engine, players({"alphabeta:depth=9", "uct:simulations=2000"}), options).value();
  for (std::size_t game = 0; game < options.games; ++game) {
    EXPECT_GE(result.records[game].goals[game % 2], 50);
  }
}

TEST(Match, AgentsThatCannotPlayAreAnError) {
  const auto engine = shipped("rock_paper_scissors");
  const auto result = run_match(engine, players({"alphabeta", "random"}), {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, base::ErrorKind::not_applicable);
}

TEST(Record, GoesThereAndBack) {
  const auto engine = shipped("tic_tac_toe");
  MatchOptions options;
  options.game_name = "tic \"tac\" toe";
  const auto result = run_match(engine, players({"random", "random"}), options).value();
  const MatchRecord& record = result.records[0];
  EXPECT_EQ(read_record(to_json(record)).value(), record);
  EXPECT_EQ(record.states.size(), record.moves.size() + 1);
}

TEST(Record, DamagedTextIsRefused) {
  for (const char* text : {"", "{", "[]", "{\"matchId\": 3}", "{\"matchId\": \"a\"}"}) {
    const auto record = read_record(text);
    ASSERT_FALSE(record.has_value()) << text;
    EXPECT_EQ(record.error().kind, base::ErrorKind::unreadable_input);
    EXPECT_EQ(record.error().message.find("json.exception"), std::string::npos);
  }
}

}  // namespace
}  // namespace zermelo::play
