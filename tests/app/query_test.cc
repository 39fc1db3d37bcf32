#include "app/query.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/json.h"
#include "app/requests.h"
#include "app/solve.h"

namespace zermelo::app {
namespace {

using base::ErrorKind;
using solve::Rewards;

class Query : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(app::solve({.rules = shipped_rules("tic_tac_toe"), .folder = name()}));
  }
  std::string name() const { return folder_.path().string(); }

  base::Error refusal(QueryRequest request) {
    request.folder = name();
    const auto found = query(request);
    EXPECT_FALSE(found);
    return found ? base::Error{} : found.error();
  }

  Folder folder_;
};

TEST_F(Query, ShowsTheInitialStateByDefault) {
  const auto start = query({.folder = name()});
  ASSERT_TRUE(start) << start.error().message;
  EXPECT_EQ(start->rewards, (Rewards{50, 50}));
  EXPECT_EQ(start->distance, 9u);
  EXPECT_FALSE(start->terminal);
  EXPECT_EQ(start->turn, start->roles[0]);
  EXPECT_EQ(start->moves.size(), 9u);
  EXPECT_TRUE(std::all_of(start->moves.begin(), start->moves.end(),
                          [](const auto& move) { return move.best; }));
}

TEST_F(Query, MovesAndStateNameTheSamePosition) {
  const auto after = query({.folder = name(), .moves = "(mark 2 2) ( mark  1 2 )"});
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->rewards, (Rewards{100, 0}));
  EXPECT_EQ(after->moves.size(), 7u);
  std::string fluents;
  for (const std::string& fluent : after->position) fluents += fluent;
  const auto described = query({.folder = name(), .state = fluents});
  ASSERT_TRUE(described) << described.error().message;
  EXPECT_EQ(to_json(*described), to_json(*after));
}

TEST_F(Query, MovesAreReadInAnyCaseAndSyntax) {
  const auto prefix = query({.folder = name(), .moves = "(mark 2 2) (mark 1 2)"});
  const auto infix = query({.folder = name(), .moves = "MARK(2,2) Mark(1, 2)"});
  ASSERT_TRUE(prefix && infix);
  EXPECT_EQ(to_json(*infix), to_json(*prefix));
  const base::Error error = refusal({.moves = "(mark 2 2"});
  EXPECT_EQ(error.kind, base::ErrorKind::invalid_request);
  EXPECT_NE(error.message.find("a parenthesis is not closed"), std::string::npos);
}

// x wins at once with one move, and later with others, which keep the value.
TEST_F(Query, TheFastestWinIsBestAndComesFirst) {
  const auto won =
      query({.folder = name(), .moves = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)"});
  ASSERT_TRUE(won);
  EXPECT_EQ(won->line, std::vector<std::string>{"(mark 1 3)"});
  EXPECT_EQ(won->moves.front().name, "(mark 1 3)");
  EXPECT_TRUE(won->moves.front().best);
  EXPECT_FALSE(won->moves[1].best);
  EXPECT_NE(won->board.find("o"), std::string::npos);
}

TEST_F(Query, TheLongestResistanceIsBest) {
  const auto lost = query({.folder = name(), .moves = "(mark 1 1) (mark 1 2) (mark 2 2)"});
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->rewards, (Rewards{100, 0}));
  EXPECT_EQ(lost->moves.front().name, "(mark 3 3)");  // every other move loses at once
  EXPECT_TRUE(lost->moves.front().best);
  EXPECT_TRUE(lost->moves.back().keeps_value);
  EXPECT_FALSE(lost->moves.back().best);
}

TEST_F(Query, ATerminalPositionHasNoMoves) {
  const auto over =
      query({.folder = name(), .moves = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)"});
  ASSERT_TRUE(over) << over.error().message;
  EXPECT_TRUE(over->terminal);
  EXPECT_FALSE(over->turn);
  EXPECT_TRUE(over->moves.empty());
  EXPECT_EQ(over->distance, 0u);
  const base::Error error =
      refusal({.moves = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3) (mark 3 3)"});
  EXPECT_NE(error.message.find("the game is over"), std::string::npos);
}

TEST_F(Query, RefusesWhatIsNoPosition) {
  EXPECT_NE(contradiction({.folder = "", .moves = "a", .state = "b"}), "");
  EXPECT_EQ(refusal({.moves = "", .state = ""}).kind, ErrorKind::invalid_request);
  const base::Error illegal = refusal({.moves = "(mark 2 2) (mark 2 2)"});
  EXPECT_EQ(illegal.kind, ErrorKind::not_applicable);
  EXPECT_NE(illegal.message.find("not legal after 1 move; legal moves: (mark 1 1), (mark 1 2)"),
            std::string::npos)
      << illegal.message;
  EXPECT_EQ(refusal({.state = ""}).kind, ErrorKind::not_applicable);
  EXPECT_NE(refusal({.state = "(cell 9 9 x)"}).message.find("unknown fluent (cell 9 9 x)"),
            std::string::npos);
}

TEST_F(Query, NeedsAFinishedSolution) {
  EXPECT_EQ(query({.folder = name() + "-none"}).error().kind, ErrorKind::unreadable_input);
  std::filesystem::remove(folder_.path() / "manifest.json");
  EXPECT_EQ(query({.folder = name()}).error().kind, ErrorKind::unreadable_input);
}

TEST_F(Query, JsonHasTheWholeResult) {
  const auto start = query({.folder = name(), .moves = "(mark 1 2)"});
  ASSERT_TRUE(start);
  const auto json = nlohmann::json::parse(to_json(*start));
  EXPECT_EQ(json.at("roles"), start->roles);
  EXPECT_EQ(json.at("position").size(), start->position.size());
  EXPECT_EQ(json.at("terminal"), false);
  EXPECT_EQ(json.at("turn"), start->roles[1]);
  EXPECT_EQ(json.at("values"), nlohmann::json({50, 50}));
  EXPECT_EQ(json.at("distance"), 8);
  EXPECT_EQ(json.at("moves").size(), 8u);
  EXPECT_EQ(json.at("moves")[0].at("move"), "(mark 1 1)");
  EXPECT_EQ(json.at("moves")[0].at("best"), true);
}

TEST_F(Query, RespectsLimitsAndCancellation) {
  EXPECT_EQ(refusal({.limits = {.time = std::chrono::seconds(0)}}).kind, ErrorKind::time_limit);
  EXPECT_EQ(refusal({.limits = {.memory_bytes = 1}}).kind, ErrorKind::memory_limit);
  const auto cancelled = query({.folder = name()}, cancelled_context());
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().kind, ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::app
