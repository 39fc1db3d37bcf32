#include "app/match.h"

#include <fstream>

#include "app/app_fixture.h"
#include "app/json.h"
#include "app/play.h"
#include "app/replay.h"

namespace zermelo::app {
namespace {

MatchRequest random_games(std::uint64_t games) {
  MatchRequest request{shipped("tic_tac_toe")};
  request.games = games;
  request.threads = 1;
  request.game_name = "tic_tac_toe.kif";
  return request;
}

TEST(Match, RandomPlayersByDefault) {
  MatchRequest request = random_games(4);
  request.keep_records = true;
  const auto report = play_match(request);
  ASSERT_TRUE(report);
  const auto json = parsed(to_json(report->match));
  EXPECT_EQ(json["players"], (nlohmann::json{"random", "random"}));
  EXPECT_EQ(json["games"], 4);
  EXPECT_EQ(json["completed"], 4);
  EXPECT_EQ(json["records"].size(), 4u);
  EXPECT_FALSE(json.contains("error"));
  EXPECT_FALSE(json.contains("faults"));
}

TEST(Match, PlayersThatDoNotExistAreAnInvalidRequest) {
  for (const std::vector<std::string>& players :
       {std::vector<std::string>{"uct:time=soon"}, {"random", "random", "random"}}) {
    MatchRequest request = random_games(1);
    request.players = players;
    const auto report = play_match(request);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().kind, base::ErrorKind::invalid_request);
  }
}

TEST(Match, CancellationLeavesGamesOut) {
  EXPECT_EQ(play_match(random_games(1), cancelled()).error().kind, base::ErrorKind::time_limit);
  std::stop_source source;
  const Context context{[&](std::string) { source.request_stop(); }, source.get_token()};
  const auto report = play_match(random_games(1'000), context);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->match.limit, base::ErrorKind::time_limit);
  EXPECT_LT(report->match.games.size(), 1'000u);
  const auto json = parsed(to_json(report->match));
  EXPECT_EQ(json["error"]["kind"], "time_limit");
  EXPECT_EQ(json["error"]["message"], match_limit_message);
  EXPECT_EQ(json["mean_goals"][0], nullptr);
}

TEST(Match, RecordsAreWrittenOnceAndReplayed) {
  const TemporaryFolder folder;
  MatchRequest request = random_games(2);
  request.records = file_in(folder, "records");
  const auto report = play_match(request);
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->records);
  for (const std::uint64_t game : {0, 1}) {
    const auto record =
        read_record(file_in(folder, "records/" + record_file(play::match_id(request.seed, game))));
    ASSERT_TRUE(record);
    const auto replayed = replay({*record, request.rules});
    ASSERT_TRUE(replayed);
    const auto json = parsed(to_json(*replayed));
    EXPECT_EQ(json["fits"], true) << json["problem"];
    EXPECT_EQ(json["steps"].size(), record->moves.size() + 1);
    EXPECT_EQ(json["goals"], nlohmann::json(record->goals));
  }
  EXPECT_EQ(play_match(request).error().kind, base::ErrorKind::unwritable_output);
}

TEST(Replay, ARecordOfAnotherGameHasAProblem) {
  MatchRequest request = random_games(1);
  request.keep_records = true;
  const auto report = play_match(request);
  ASSERT_TRUE(report);
  const auto replayed = replay({report->match.records[0], generated("nim", {"1", "2", "3"})});
  ASSERT_TRUE(replayed);
  EXPECT_NE(replayed->problem, "");
  EXPECT_EQ(parsed(to_json(*replayed))["fits"], false);
}

TEST(Replay, WhatIsNoRecordIsUnreadable) {
  EXPECT_EQ(read_record("/nowhere/record.json").error().kind, base::ErrorKind::unreadable_input);
  const TemporaryFolder folder;
  std::ofstream(file_in(folder, "record.json")) << "{}";
  EXPECT_EQ(read_record(file_in(folder, "record.json")).error().kind,
            base::ErrorKind::unreadable_input);
}

TEST(Play, APersonAgainstTheFirstMove) {
  auto game = start_game({shipped("tic_tac_toe"), "o", read_player("legal").value()});
  ASSERT_TRUE(game);
  EXPECT_EQ(game->roles(), (std::vector<std::string>{"x", "o"}));
  ASSERT_EQ(game->moves().size(), 1u);  // x begins
  game->make(game->moves()[0]);
  EXPECT_EQ(game->moves().size(), 8u);
  EXPECT_FALSE(game->undo());  // a forced move was no decision
}

TEST(Play, UnknownRolesAndPlayersAreInvalidRequests) {
  EXPECT_EQ(read_player("genius").error().kind, base::ErrorKind::invalid_request);
  const auto game = start_game({shipped("tic_tac_toe"), "z", read_player("legal").value()});
  ASSERT_FALSE(game);
  EXPECT_EQ(game.error().kind, base::ErrorKind::invalid_request);
  EXPECT_EQ(game.error().message, "unknown role \"z\"; expected x, o");
}

TEST(Play, StoredValuesAreThoseOfTheMoves) {
  const TemporaryFolder folder;
  solve::store_in(folder, solve::solved(solve::shipped("tic_tac_toe")));
  PlayRequest request{shipped("tic_tac_toe"), "", read_player("legal").value()};
  request.values = folder.path().string();
  auto game = start_game(request);
  ASSERT_TRUE(game);
  for (const play::Move move : game->moves()) {
    EXPECT_EQ(game->value_after(move), (eval::Rewards{50, 50})) << game->move_name(move);
  }
}

TEST(Play, ValuesMustBeOfTheGame) {
  PlayRequest request{shipped("tic_tac_toe"), "", read_player("legal").value()};
  request.values = "/nowhere";
  EXPECT_EQ(start_game(request).error().kind, base::ErrorKind::unreadable_input);
}

TEST(Match, ACoalitionIsNamedByItsRoles) {
  MatchRequest request{shipped("majority")};
  request.coalition = {"ann", "cid"};
  request.threads = 1;
  const auto report = play_match(request);
  ASSERT_TRUE(report) << report.error().message;
  const auto json = parsed(to_json(report->match));
  EXPECT_EQ(json["coalition"]["roles"], (nlohmann::json{"ann", "cid"}));
  EXPECT_TRUE(json["coalition"]["mean_sum"].is_number());
  EXPECT_EQ(json["coalition"]["interval"], nullptr);
  request.coalition = {"dan"};
  const auto unknown = play_match(request);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, base::ErrorKind::invalid_request);
}

}  // namespace
}  // namespace zermelo::app
