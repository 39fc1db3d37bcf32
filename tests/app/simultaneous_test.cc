// Requests about games in which several roles decide at the same time.
#include <nlohmann/json.hpp>

#include "app/coalition.h"
#include "app/json.h"
#include "app/query.h"
#include "app/requests.h"
#include "app/solve.h"
#include "app/verify.h"

namespace zermelo::app {
namespace {

using base::ErrorKind;
using Parsed = nlohmann::json;

class Simultaneous : public ::testing::Test {
 protected:
  std::string name() const { return folder_.path().string(); }
  base::Result<SolveResult> solve_scissors() {
    return app::solve({.rules = shipped_rules("rock_paper_scissors"), .folder = name()});
  }

  Folder folder_;
};

TEST_F(Simultaneous, SolveNamesTheConceptAndTheBounds) {
  const auto solved = solve_scissors();
  ASSERT_TRUE(solved) << solved.error().message;
  const Parsed json = Parsed::parse(to_json(*solved));
  EXPECT_EQ(json["concept"], "minimax");
  EXPECT_NEAR(json["values"][0].get<double>(), 50, 1e-9);
  EXPECT_LE(json["bounds"][0]["low"].get<double>(), 50);
  EXPECT_GE(json["bounds"][0]["high"].get<double>(), 50);
  EXPECT_FALSE(json.contains("by_value"));
  EXPECT_EQ(json["states"], "20");
  EXPECT_EQ(json["simultaneous_states"], 10);
  ASSERT_EQ(json["strategies"].size(), 2u);
  for (const Parsed& move : json["strategies"][1]["moves"]) {
    EXPECT_NEAR(move["probability"].get<double>(), 1.0 / 3, 1e-9);
    EXPECT_NEAR(move["value"].get<double>(), 50, 1e-9);
  }
}

TEST_F(Simultaneous, AFinishedFolderAnswersAgain) {
  const auto first = solve_scissors(), second = solve_scissors();
  ASSERT_TRUE(first && second);
  EXPECT_EQ(second->equilibrium->low, first->equilibrium->low);
  EXPECT_EQ(second->summary.states, first->summary.states);
  EXPECT_EQ(second->summary.terminal_states, first->summary.terminal_states);
  EXPECT_FALSE(second->simultaneous_states);
  const auto other = app::solve({.rules = shipped_rules("rock_paper_scissors"),
                                 .folder = name(),
                                 .model = solve::OpponentModel::difference});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::not_applicable);
}

TEST_F(Simultaneous, QueryTakesTheMoveOfEveryRoleThatDecides) {
  ASSERT_TRUE(solve_scissors());
  const auto after = query({.folder = name(), .moves = "(show rock) (show paper)"});
  ASSERT_TRUE(after) << after.error().message;
  const Parsed json = Parsed::parse(to_json(*after));
  EXPECT_LT(json["values"][0].get<double>(), 50);
  EXPECT_EQ(json["matrix"].size(), 9u);
  EXPECT_EQ(json["matrix"][1]["moves"], (std::vector<std::string>{"(show rock)", "(show paper)"}));
  double sum = 0;
  for (const Parsed& joint : json["matrix"]) sum += joint["probability"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-9);
  const auto missing = query({.folder = name(), .moves = "(show rock)"});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("the move of right is missing"), std::string::npos);
  const auto wrong = query({.folder = name(), .moves = "(show rock) (show lizard)"});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::not_applicable);
}

TEST_F(Simultaneous, VerifyChecksAllStates) {
  ASSERT_TRUE(solve_scissors());
  const auto verified = verify({.folder = name()});
  ASSERT_TRUE(verified);
  EXPECT_TRUE(verified->ok());
  EXPECT_EQ(verified->states_checked, 20u);
}

TEST_F(Simultaneous, DistancesAreRefused) {
  const auto solved = app::solve(
      {.rules = shipped_rules("rock_paper_scissors"), .folder = name(), .distances = true});
  ASSERT_FALSE(solved);
  EXPECT_EQ(solved.error().kind, ErrorKind::not_applicable);
}

TEST(CoalitionRequests, AnswerWithValuesSharesAndAPicture) {
  const auto result = coalition({.rules = shipped_rules("glove_market")});
  ASSERT_TRUE(result) << result.error().message;
  const Parsed json = Parsed::parse(to_json(*result));
  EXPECT_EQ(json["coalitions"].size(), 7u);
  EXPECT_EQ(json["coalitions"][2]["roles"], (std::vector<std::string>{"left", "east"}));
  EXPECT_NEAR(json["coalitions"][2]["value"].get<double>(), 100, 1e-9);
  EXPECT_FALSE(json["core"]["empty"].get<bool>());
  EXPECT_TRUE(json["superadditive"].get<bool>());
  const std::string picture = coalition_picture(*result, "Glove market");
  EXPECT_TRUE(picture.starts_with("<svg"));
  EXPECT_NE(picture.find("left, east"), std::string::npos);
}

TEST(CoalitionGames, ComeCloseToTheSolvedValues) {
  for (const char* name : {"glove_market", "majority"}) {
    const auto solved = coalition({.rules = shipped_rules(name)});
    const auto estimated = coalition(
        {.rules = shipped_rules(name), .games = 30, .player = "uct:simulations=300", .threads = 1});
    ASSERT_TRUE(solved && estimated) << name;
    EXPECT_EQ(estimated->games, 30u);
    EXPECT_FALSE(solved->games);
    for (solve::Coalition c = 1; c <= solved->values.everybody(); ++c) {
      EXPECT_NEAR(estimated->values.value(c), solved->values.value(c), 20) << name << c;
    }
    EXPECT_EQ(Parsed::parse(to_json(*estimated))["games"], 30);
  }
}

TEST(CoalitionGames, WorkWhereTheGameCannotBeSolved) {
  const auto rules = shipped_rules("numbers/coalition_farmer");
  const auto solved = coalition({.rules = rules});
  ASSERT_FALSE(solved);
  EXPECT_EQ(solved.error().kind, ErrorKind::not_applicable);
  const auto estimated = coalition({.rules = rules, .games = 2, .player = "random", .threads = 1});
  ASSERT_TRUE(estimated) << estimated.error().message;
  EXPECT_EQ(estimated->roles.size(), 3u);
  EXPECT_GT(estimated->values.value(7), estimated->values.value(1));
}

TEST(CoalitionGames, UnknownPlayersAreInvalid) {
  const auto estimated =
      coalition({.rules = shipped_rules("majority"), .games = 1, .player = "nobody"});
  ASSERT_FALSE(estimated);
  EXPECT_EQ(estimated.error().kind, ErrorKind::invalid_request);
}

}  // namespace
}  // namespace zermelo::app
