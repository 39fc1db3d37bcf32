#include "serve/network_games.h"

#include <gtest/gtest.h>

#include <future>
#include <mutex>
#include <nlohmann/json.hpp>

#include "app/json.h"
#include "serve/raw_client.h"
#include "serve/run_player.h"

namespace zermelo::serve {
namespace {

using namespace std::chrono_literals;

NetworkGamesRequest tic_tac_toe(const std::vector<std::string>& players) {
  NetworkGamesRequest request;
  request.rules = app::read_rules(ZERMELO_ROOT "/games/tic_tac_toe.kif").value();
  request.players = players;
  request.start_clock = request.play_clock = 1;
  return request;
}

TEST(NetworkGames, RandomSeatsPlayEveryGame) {
  NetworkGamesRequest request = tic_tac_toe({"random", "random"});
  request.games = 3;
  request.match_id = "id";
  request.keep_records = true;
  std::vector<std::string> activities;
  const auto report =
      play_network_games(request, {[&](std::string text) { activities.push_back(text); }, {}});
  ASSERT_TRUE(report);
  EXPECT_EQ(activities.back(), "playing game 3 of 3");
  const auto json = nlohmann::json::parse(app::to_json(report->match));
  EXPECT_EQ(json["games"], 3);
  EXPECT_EQ(json["completed"], 3);
  EXPECT_EQ(json["faults"]["late"], 0);
  EXPECT_EQ(json["records"][2]["matchId"], "id.2");
}

TEST(NetworkGames, RolesChangeFromGameToGame) {
  NetworkGamesRequest request = tic_tac_toe({"random", "random"});
  request.games = 2;
  const auto report = play_network_games(request);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->match.games[0].seating, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(report->match.games[1].seating, (std::vector<std::size_t>{1, 0}));
}

TEST(NetworkGames, WrongPlayersAndIdsAreInvalidRequests) {
  for (const char* player : {"", "host", "host:", ":80", "host:0", "host:70000", "host:x"}) {
    EXPECT_FALSE(check(tic_tac_toe({player, "random"}))) << player;
  }
  EXPECT_TRUE(check(tic_tac_toe({"host:80", "random"})));
  NetworkGamesRequest request = tic_tac_toe({"random", "random"});
  for (const char* id : {"..", "a/b", "a b"}) {
    request.match_id = id;
    EXPECT_FALSE(check(request)) << id;
  }
  EXPECT_EQ(play_network_games(request).error().kind, base::ErrorKind::invalid_request);
  EXPECT_EQ(play_network_games(tic_tac_toe({"random"})).error().kind,
            base::ErrorKind::invalid_request);
}

TEST(NetworkGames, CancellationAbortsTheMatch) {
  std::stop_source source;
  NetworkGamesRequest request = tic_tac_toe({"random", "random"});
  request.games = 100;
  const auto report = play_network_games(
      request, {[&](std::string) { source.request_stop(); }, source.get_token()});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->match.games.size(), 1u);
  EXPECT_FALSE(report->match.games[0].is_completed);
  EXPECT_EQ(report->match.limit, base::ErrorKind::time_limit);
}

// The port that a log line "listening on port N" names.
std::string port_in(const std::string& line) { return line.substr(line.rfind(' ') + 1); }

TEST(PlayerService, PlaysAMatchAndEnds) {
  RunPlayerRequest request;
  request.port = 0;
  request.threads = 1;
  request.matches = 1;
  request.think = 0.02s;
  std::promise<std::string> listening;
  std::once_flag first;
  request.log = [&](const std::string& line) {
    std::call_once(first, [&] { listening.set_value(line); });
  };
  std::jthread service([&] { EXPECT_TRUE(run_player(request)); });
  const std::string address = "127.0.0.1:" + port_in(listening.get_future().get());
  const auto report = play_network_games(tic_tac_toe({address, "random"}));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->match.completed, 1u);
  EXPECT_EQ(report->match.faults->illegal, 0u);
}

TEST(PlayerService, IsCancelled) {
  std::stop_source source;
  RunPlayerRequest request;
  request.port = 0;
  request.log = [&](const std::string&) { source.request_stop(); };
  EXPECT_TRUE(run_player(request, {{}, source.get_token()}));
}

TEST(PlayerService, ANameIsOneWord) {
  RunPlayerRequest request;
  request.name = "two words";
  EXPECT_EQ(run_player(request).error().kind, base::ErrorKind::invalid_request);
}

// Real players over real sockets, with meaningless words instead of names.
TEST(NetworkGames, PlayersOfHiddenInformation) {
  PlayerOptions quick;
  quick.max_time = 0.05s;
  ServedPlayer one(quick), other(quick);
  for (const char* name : {"kuhn_poker", "kriegspiel_tic_tac_toe"}) {
    NetworkGamesRequest request;
    request.rules =
        app::read_rules(std::string(ZERMELO_ROOT "/games/hidden/") + name + ".kif").value();
    request.players = {one.address(), other.address()};
    request.start_clock = request.play_clock = 2;
    request.games = 2;
    request.scramble = true;
    const auto report = play_network_games(request);
    ASSERT_TRUE(report) << name;
    EXPECT_EQ(report->match.completed, 2u) << name;
    EXPECT_EQ(report->match.roles.size(), 2u) << name;
    EXPECT_EQ(report->match.faults->late + report->match.faults->illegal, 0u) << name;
    EXPECT_EQ(report->match.faults->unreachable + report->match.faults->unprepared, 0u) << name;
    for (const auto& game : report->match.games) EXPECT_EQ(game.goals[0] + game.goals[1], 100);
  }
}

TEST(NetworkGames, NobodyPlaysRandom) {
  NetworkGamesRequest request;
  request.rules = app::read_rules(ZERMELO_ROOT "/games/hidden/monty_hall.kif").value();
  request.players = {"random", "random"};
  EXPECT_EQ(play_network_games(request).error().kind, base::ErrorKind::invalid_request);
  request.players = {"random"};
  const auto report = play_network_games(request);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->match.roles.size(), 1u);
  EXPECT_EQ(report->match.completed, 1u);
}

}  // namespace
}  // namespace zermelo::serve
