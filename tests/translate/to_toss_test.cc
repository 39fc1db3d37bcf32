// Games of GDL and their translations to Toss: the bijection of Theorem 5 along random games.
#include "translate/toss/to_toss.h"

#include <gtest/gtest.h>

#include <map>

#include "gdl/read_rules.h"
#include "ground/ground.h"
#include "support/random_game.h"
#include "support/sum_game.h"
#include "toss/parser.h"
#include "toss/printer.h"
#include "translate/toss/bijection.h"

namespace zermelo::translate::toss {
namespace {

std::shared_ptr<const machine::Machine> machine_of(const std::string& text) {
  const auto rules =
      gdl::read_rules(std::make_shared<const base::Source>("test.kif", text)).value();
  return machine::Machine::make(std::move(*ground::ground(rules)), base::Limits()).value();
}

std::shared_ptr<const machine::Machine> shipped_gdl(const std::string& name) {
  const auto source = base::read_source(ZERMELO_ROOT "/games/" + name + ".kif").value();
  return machine_of(std::string(source.text()));
}

struct Trial {
  std::size_t games = 5;
  std::size_t longest = 60;  // joint moves
  bool only_terms = false;
};

// Checks moves, ends and payoffs along random games; returns the construction.
TossConstruction expect_bijection(const std::shared_ptr<const machine::Machine>& machine,
                                  const Trial& trial) {
  ToTossOptions how;
  how.only_terms = trial.only_terms;
  how.paper_seconds = std::chrono::seconds(1);
  how.mutex_seconds = std::chrono::seconds(1);
  const auto translation = to_toss(machine, how);
  EXPECT_TRUE(translation) << translation.error().message;
  if (!translation) return {};
  BijectionOptions options;
  options.games = trial.games;
  options.longest = trial.longest;
  const BijectionReport report = check_bijection(machine, *translation, options);
  EXPECT_EQ(report.difference, std::nullopt) << print(*translation->game);
  EXPECT_EQ(report.games, trial.games);
  return translation->construction;
}

TEST(ToToss, ThePapersConstructionKeepsMovesEndAndPayoffs) {
  for (const char* name : {"queens", "knights_tour"}) {
    SCOPED_TRACE(name);
    const TossConstruction used = expect_bijection(shipped_gdl(name), {5, 30});
    EXPECT_TRUE(used == TossConstruction::paper || used == TossConstruction::state_terms);
  }
}

class ShippedAsTerms : public ::testing::TestWithParam<const char*> {};

TEST_P(ShippedAsTerms, KeepMovesEndAndPayoffs) {
  const TossConstruction used = expect_bijection(shipped_gdl(GetParam()), {2, 25, true});
  EXPECT_EQ(used, TossConstruction::terms);
}

INSTANTIATE_TEST_SUITE_P(
    TurnTaking, ShippedAsTerms,
    ::testing::Values("blocks_world", "breakthrough", "buttons", "catch_a_mouse", "checkers",
                      "chinese_checkers_2", "chinese_checkers_3", "clobber", "connect_four",
                      "cubi_cup", "eight_puzzle", "fifteen_puzzle", "incredible", "knights_tour",
                      "lights_out", "maze", "nim", "number_tic_tac_toe", "othello", "pancakes",
                      "peg_solitaire", "queens", "sheep_and_wolf", "three_player_nim",
                      "three_player_tic_tac_toe", "tic_tac_toe", "towers_of_hanoi", "two_graphs"),
    [](const auto& test) { return std::string(test.param); });

TEST(ToToss, PlayersWhoChooseAtTheSameTimeKeepMovesEndAndPayoffs) {
  for (const char* name :
       {"bidding_tic_tac_toe", "colonel_blotto", "double_tic_tac_toe", "glove_market", "goofspiel",
        "majority", "matching_pennies", "rock_paper_scissors"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(expect_bijection(shipped_gdl(name), {3, 25}), TossConstruction::simultaneous);
  }
}

// Games with recursion, negation, nested terms and joint moves. Some restrictions are not met.
TEST(ToToss, RandomGamesKeepMovesEndAndPayoffs) {
  std::map<TossConstruction, std::size_t> used;
  std::size_t refused = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = machine_of(seed % 3 == 0 ? testing::random_single_player_game(seed)
                                                  : testing::random_game(seed));
    ToTossOptions how;
    how.only_terms = true;
    const auto translation = to_toss(machine, how);
    if (!translation) {
      EXPECT_EQ(translation.error().kind, base::ErrorKind::not_applicable);
      ++refused;
      continue;
    }
    ++used[translation->construction];
    BijectionOptions options;
    options.games = 3;
    const BijectionReport report = check_bijection(machine, *translation, options);
    ASSERT_EQ(report.difference, std::nullopt) << print(*translation->game);
  }
  EXPECT_GT(used[TossConstruction::terms], 20u);
  EXPECT_GT(used[TossConstruction::simultaneous], 2u);
  EXPECT_LT(refused, 50u);
}

TEST(ToToss, RandomSumsKeepMovesEndAndPayoffs) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    const auto kind = static_cast<testing::SumKind>(seed % 3);
    expect_bijection(machine_of(testing::random_sum(seed, kind)), {3, 60, true});
  }
}

TEST(ToToss, WhatIsPrintedIsTheSameGame) {
  const auto translation = to_toss(shipped_gdl("queens"));
  ASSERT_TRUE(translation) << translation.error().message;
  for (const auto dialect : {zermelo::toss::Dialect::start, zermelo::toss::Dialect::paper}) {
    const base::Source source("printed.toss", print(*translation->game, dialect));
    const auto read = zermelo::toss::parse(source);
    ASSERT_FALSE(base::has_errors(read.diagnostics));
    EXPECT_TRUE(same(read.game, *translation->game));
  }
}

TEST(ToToss, NamesTheRestrictionThatIsNotMet) {
  const auto reason = [](const std::string& text) {
    const auto translation = to_toss(machine_of(text));
    return translation ? "" : translation.error().message;
  };
  EXPECT_EQ(reason(R"((role r) (role random) (init s) (legal r a) (legal random a) (legal random b)
                      (<= (next s) (does random a)) (goal r 0) (<= terminal (not (true s))))"),
            "the game has chance or hidden information");
}

}  // namespace
}  // namespace zermelo::translate::toss
