// Agent specifications, matches and their statistics, records.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <nlohmann/json.hpp>
#include <thread>

#include "play/match.h"
#include "support/load.h"
#include "support/processor_time.h"

namespace zermelo::play {
namespace {

std::shared_ptr<const search::Simulator> shipped(const std::string& name) {
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif");
  return search::make_simulator(rules, {}).value();
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

TEST(AgentSpec, InvalidTextIsRejected) {
  for (const char* text :
       {"", "deep", "uct:time", "uct:time=fast", "uct:variant=best", "uct:threads=0",
        "random:time=1s", "perfect", "uct:ponder=maybe", "alphabeta:variant=st", "uct:memory=1X",
        "uct:time=nan", "uct:time=99999999999h", "uct:memory=nan", "uct:memory=99999999999G",
        "uct:c=nan", "uct:c=inf", "alphabeta:time=nan"}) {
    EXPECT_FALSE(parse_agent(text).has_value()) << text;
  }
}

TEST(AgentSpec, VariantsBecomeOptions) {
  const auto simulator = shipped("connect_four");
  const auto options = [&](const char* spec) {
    return uct_options(parse_agent(spec).value(), {simulator, 0, 1});
  };
  EXPECT_EQ(options("uct:variant=st").selection.sufficiency, 0.6);
  EXPECT_TRUE(options("uct:variant=st+ma").moving_average.has_value());
  EXPECT_TRUE(options("uct").proofs);
  EXPECT_FALSE(options("uct:proofs=no").proofs);
  EXPECT_FALSE(options("uct").selection.sufficiency || options("uct:variant=st").moving_average);
}

TEST(AgentSpec, TheMemoryShareIsOnlyADefault) {
  const auto simulator = shipped("tic_tac_toe");
  const auto memory = [&](const char* text, std::size_t share) {
    AgentSpec spec = parse_agent(text).value();
    spec.memory_share = share;
    return uct_options(spec, {simulator, 0, 1}).memory_bytes;
  };
  EXPECT_EQ(memory("uct", 5u << 20), 5u << 20);
  EXPECT_EQ(memory("uct", std::size_t{8} << 30), search::UctOptions().memory_bytes);
  EXPECT_EQ(memory("uct:memory=7M", 5u << 20), 7u << 20);
}

// Four nines lead to a state in which both roles choose; random games hardly get there.
TEST(AlphaBetaAgent, MakesItsOwnMoveIfBothRolesChoose) {
  const auto rules = testing::rulesheet(R"(
    (role a) (role b) (init (step 0))
    (digit 0) (digit 1) (digit 2) (digit 3) (digit 4)
    (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
    (after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
    (<= (legal a (pick ?d)) (digit ?d) (not (true (step 4))))
    (<= (legal b noop) (not (true (step 4))))
    (<= (legal ?r (last ?d)) (role ?r) (digit ?d) (true (step 4)))
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= (next wrong) (does a (pick ?d)) (distinct ?d 9))
    (<= terminal (true wrong))
    (<= terminal (true (step 5)))
    (<= (goal ?r 50) (role ?r))
  )");
  const auto simulator = search::make_simulator(rules, {}).value();
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  for (int step = 0; step < 4; ++step) {
    walker->make(std::vector<Move>{walker->legal(0).back(), walker->legal(1).front()});
  }
  const auto agent =
      make_agent(parse_agent("alphabeta:depth=2").value(), {simulator, 1, 1}).value();
  const Move move = agent->choose(walker->state(), std::nullopt);
  const auto legal = walker->legal(1);
  EXPECT_EQ(legal.size(), 10u);
  EXPECT_NE(std::find(legal.begin(), legal.end(), move), legal.end());
}

// x has the corner, o the centre; then x takes the opposite corner, and o must answer at an edge.
class CornersOfTicTacToe : public ::testing::Test {
 protected:
  CornersOfTicTacToe() {
    walker_->go_to(simulator_->initial());
    make("(mark 1 1)", "noop");
    make("noop", "(mark 2 2)");
    before_ = walker_->state();
    make("(mark 3 3)", "noop");
    after_ = walker_->state();
  }

  void make(const std::string& x, const std::string& o) {
    walker_->make(std::vector<Move>{named(0, x), named(1, o)});
  }
  Move named(std::size_t role, const std::string& name) {
    const auto legal = walker_->legal(role);
    return *std::find_if(legal.begin(), legal.end(),
                         [&](Move move) { return simulator_->move_name(move) == name; });
  }

  std::unique_ptr<Agent> agent(const std::string& spec) const {
    return make_agent(parse_agent(spec).value(), {simulator_, 1, 1}).value();
  }
  // Returns whether o keeps the draw.
  bool answers_at_edge(Agent& agent) const {
    const std::string name = simulator_->move_name(agent.choose(after_, std::nullopt));
    return name == "(mark 1 2)" || name == "(mark 2 1)" || name == "(mark 2 3)" ||
           name == "(mark 3 2)";
  }

  std::shared_ptr<const search::Simulator> simulator_ = shipped("tic_tac_toe");
  std::unique_ptr<search::Walker> walker_ = simulator_->walker();
  State before_, after_;
};

// Tries longer and longer pauses, for slow machines.
bool with_some_pause(const std::function<bool(std::chrono::milliseconds)>& succeeds) {
  for (std::chrono::milliseconds pause(50); pause < std::chrono::seconds(20); pause *= 2) {
    if (succeeds(pause)) return true;
  }
  return false;
}

TEST_F(CornersOfTicTacToe, MovesAreBetterAfterPondering) {
  const auto answers = [&](const char* spec, std::chrono::milliseconds pause) {
    const auto player = agent(spec);
    player->ponder(after_);
    std::this_thread::sleep_for(pause);
    return answers_at_edge(*player);
  };
  EXPECT_FALSE(answers("uct:simulations=1", std::chrono::milliseconds(50)));
  EXPECT_TRUE(with_some_pause([&](std::chrono::milliseconds pause) {
    return answers("uct:simulations=1,ponder=yes", pause);
  }));
}

TEST_F(CornersOfTicTacToe, PonderingContinuesDuringForcedMoves) {
  EXPECT_TRUE(with_some_pause([&](std::chrono::milliseconds pause) {
    const auto player = agent("uct:simulations=1,ponder=yes");
    player->ponder(before_);
    EXPECT_EQ(simulator_->move_name(player->choose(before_, std::nullopt)), "noop");
    std::this_thread::sleep_for(pause);
    return answers_at_edge(*player);
  }));
}

TEST(Ponder, EndsAtOnceWithTheAgent) {
  const auto simulator = shipped("connect_four");
  auto agent = make_agent(parse_agent("uct:ponder=yes").value(), {simulator, 0, 1}).value();
  agent->ponder(simulator->initial());
  testing::wait_for_work(std::chrono::milliseconds(50));
  const auto begin = testing::process_time();
  agent.reset();
  EXPECT_LT(testing::process_time() - begin, std::chrono::seconds(1));
}

// Long before their time is over, players return a move when they are stopped.
TEST(Agent, StopsThinkingWhenAsked) {
  for (const auto& [spec, game] : {std::pair{"uct:time=1h", "breakthrough"},
                                   {"alphabeta:time=1h", "breakthrough"},
                                   {"auto:time=1h", "breakthrough"},
                                   {"plan:time=1h", "fifteen_puzzle"}}) {
    const auto simulator = shipped(game);
    std::stop_source stop;
    std::atomic<bool> is_done = false;
    std::optional<Move> move;
    std::thread thinking([&, text = spec] {
      const Seat seat{simulator, 0, 1, stop.get_token()};
      move = make_agent(parse_agent(text).value(), seat).value()->choose(simulator->initial(), {});
      is_done = true;
    });
    testing::wait_for_work(std::chrono::milliseconds(300));
    EXPECT_FALSE(is_done) << spec;
    const auto begin = testing::process_time();
    stop.request_stop();
    thinking.join();
    EXPECT_LT(testing::process_time() - begin, std::chrono::seconds(2)) << spec;
    const auto walker = simulator->walker();
    walker->go_to(simulator->initial());
    const auto legal = walker->legal(0);
    EXPECT_NE(std::find(legal.begin(), legal.end(), move), legal.end()) << spec;
  }
}

TEST(Match, PlayersThatPonder) {
  const auto simulator = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 4;
  options.threads = 2;
  const auto result =
      run_match(simulator, players({"uct:time=10ms,ponder=yes", "uct:time=10ms,ponder=yes"}),
                options)
          .value();
  EXPECT_EQ(result.completed, 4u);
  EXPECT_EQ(result.goals[0].mean, 50);
}

TEST(Match, AtALimitReturnsTheGamesStarted) {
  MatchOptions options;
  options.games = 100;
  int asked = 0;
  options.limits.end_when([&] { return ++asked > 15; });
  const auto result =
      run_match(shipped("tic_tac_toe"), players({"random", "random"}), options).value();
  EXPECT_EQ(result.limit, base::ErrorKind::time_limit);
  EXPECT_GE(result.records.size(), 2u);
  EXPECT_LE(result.records.size(), 3u);
  EXPECT_EQ(result.completed, result.records.size() - 1);
  EXPECT_EQ(result.games.size(), result.records.size());
  EXPECT_FALSE(result.records.back().is_completed);
}

TEST(Match, PlayersGetNoMoreTimeThanIsLeft) {
  MatchOptions options;
  options.limits = base::Limits(std::chrono::milliseconds(100), std::nullopt);
  const auto simulator = shipped("connect_four");
  const auto result =
      run_match(simulator, players({"uct:time=10000s", "uct:simulations=1000000000000"}), options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->limit, base::ErrorKind::time_limit);
}

TEST(Match, GamesAreReportedOneAtATimeAsTheyEnd) {
  MatchOptions options;
  options.games = 20;
  options.threads = 4;
  options.keep_records = false;
  std::atomic<int> callers = 0;
  std::vector<MatchRecord> reported;
  options.game_over = [&](const MatchRecord& record) {
    EXPECT_EQ(++callers, 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    reported.push_back(record);
    --callers;
  };
  const auto simulator = shipped("tic_tac_toe");
  const auto result = run_match(simulator, players({"random", "legal"}), options).value();
  EXPECT_EQ(result.completed, 20u);
  EXPECT_EQ(result.games.size(), 20u);
  EXPECT_TRUE(result.records.empty());
  const auto number = [](const MatchRecord& record) {
    return std::stoi(record.match_id.substr(10));
  };
  std::sort(reported.begin(), reported.end(),
            [&](const auto& a, const auto& b) { return number(a) < number(b); });
  options.keep_records = true;
  options.game_over = [](const MatchRecord&) {};
  EXPECT_EQ(run_match(simulator, players({"random", "legal"}), options)->records, reported);
}

TEST(Match, GamesAreReportedBeforeTheLastHasEnded) {
  MatchOptions options;
  options.games = 100;
  bool is_told = false;
  options.game_over = [&](const MatchRecord&) { is_told = true; };
  options.limits.end_when([&] { return is_told; });
  const auto result =
      run_match(shipped("tic_tac_toe"), players({"random", "random"}), options).value();
  EXPECT_EQ(result.games.size(), 1u);
}

TEST(Match, RolesRotateAndSeedsRepeat) {
  const auto simulator = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 6;
  options.threads = 2;
  const auto first = run_match(simulator, players({"random", "legal"}), options).value();
  const auto again = run_match(simulator, players({"random", "legal"}), options).value();
  EXPECT_EQ(first.records, again.records);
  EXPECT_EQ(first.records[0].players, (std::vector<std::string>{"random", "legal"}));
  EXPECT_EQ(first.records[1].players, (std::vector<std::string>{"legal", "random"}));
  options.seed = 2;
  EXPECT_NE(run_match(simulator, players({"random", "legal"}), options)->records, first.records);
}

TEST(Match, MeansAreByPlayerNotByRole) {
  const auto simulator = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 9;
  const auto result = run_match(simulator, players({"random", "random"}), options).value();
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
  const auto simulator = shipped("connect_four");
  MatchOptions options;
  options.games = 6;
  const auto result =
      run_match(simulator, players({"uct:simulations=3000", "random"}), options).value();
  EXPECT_EQ(result.goals[0].mean, 100);
}

TEST(Match, AlphaBetaDoesNotLoseTicTacToe) {
  const auto simulator = shipped("tic_tac_toe");
  MatchOptions options;
  options.games = 8;
  const auto result =
      run_match(simulator, players({"alphabeta:depth=9", "uct:simulations=2000"}), options).value();
  for (std::size_t game = 0; game < options.games; ++game) {
    EXPECT_GE(result.records[game].goals[game % 2], 50);
  }
}

TEST(Match, ThePlannerPlaysItsPlan) {
  const auto result = run_match(shipped("lights_out"), players({"plan:time=20s"}), {}).value();
  EXPECT_EQ(result.goals[0].mean, 100);
  const auto refused = run_match(shipped("tic_tac_toe"), players({"plan", "random"}), {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, base::ErrorKind::not_applicable);
}

// The shipped heaps are won by who moves second.
TEST(Match, TheFactoredPlayerWinsSums) {
  MatchOptions options;
  options.games = 8;
  const auto result = run_match(shipped("nim"), players({"factored", "random"}), options).value();
  for (std::size_t game = 1; game < options.games; game += 2) {
    EXPECT_EQ(result.records[game].goals[1], 100);
  }
  const auto refused = run_match(shipped("tic_tac_toe"), players({"factored", "random"}), {});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().kind, base::ErrorKind::not_applicable);
}

TEST(Match, AgentsThatCannotPlayAreAnError) {
  const auto simulator = shipped("rock_paper_scissors");
  const auto result = run_match(simulator, players({"alphabeta", "random"}), {});
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, base::ErrorKind::not_applicable);
}

TEST(Record, RoundTrip) {
  const auto simulator = shipped("tic_tac_toe");
  MatchOptions options;
  options.game_name = "tic \"tac\" toe";
  const auto result = run_match(simulator, players({"random", "random"}), options).value();
  MatchRecord record = result.records[0];
  record.state_times.assign(record.states.size(), 1'000);
  EXPECT_EQ(read_record(to_json(record)).value(), record);
  EXPECT_EQ(record.states.size(), record.moves.size() + 1);
  EXPECT_EQ(record.errors, std::vector(record.states.size(), std::vector<std::string>(2)));
}

TEST(Record, HasWhatOtherReadersRequire) {
  MatchRecord record;
  record.match_id = "a match";
  record.start_time = 7;
  record.states = {{"start"}, {"over"}};
  const auto json = nlohmann::json::parse(to_json(record));
  EXPECT_EQ(json.at("randomToken"), "a match");
  EXPECT_EQ(json.at("stateTimes"), (std::vector<int>{7, 7}));
  EXPECT_FALSE(json.contains("scrambled"));
}

TEST(Record, TermsAreReadWithAnySpacing) {
  const char* const text = R"json({
    "matchId": "a match",
    "states": ["( ( cell 1 1 b ) ( control x ) )", "((Cell 1 1 x)\n(control o) ( over ) )"],
    "moves": [["( mark 1 1 )", "noop"], ["( noop )", "( move ( from 1 ) 2 )"]],
    "scrambled": true})json";
  const std::vector<std::vector<std::string>> states = {{"(cell 1 1 b)", "(control x)"},
                                                        {"(cell 1 1 x)", "(control o)", "over"}};
  const std::vector<std::vector<std::string>> moves = {{"(mark 1 1)", "noop"},
                                                       {"noop", "(move (from 1) 2)"}};
  const MatchRecord record = read_record(text).value();
  EXPECT_EQ(record.states, states);
  EXPECT_EQ(record.moves, moves);
  EXPECT_EQ(record.scrambled, true);
}

TEST(Record, UnbalancedParenthesesAreAccepted) {
  for (const char* text : {"", "(", ")", "((", "( a ) )", "())("}) {
    const std::string json = std::string(R"({"matchId": "m", "states": [")") + text +
                             R"("], "moves": [[")" + text + R"("]]})";
    EXPECT_TRUE(read_record(json).has_value()) << text;
  }
}

TEST(Record, DamagedTextIsRejected) {
  for (const char* text : {"", "{", "[]", "{\"matchId\": 3}", "{\"matchId\": \"a\"}"}) {
    const auto record = read_record(text);
    ASSERT_FALSE(record.has_value()) << text;
    EXPECT_EQ(record.error().kind, base::ErrorKind::unreadable_input);
    EXPECT_EQ(record.error().message.find("json.exception"), std::string::npos);
  }
}

}  // namespace
}  // namespace zermelo::play
