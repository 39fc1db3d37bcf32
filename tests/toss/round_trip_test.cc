#include <gtest/gtest.h>

#include <filesystem>

#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::game_of;

void expect_round_trip(const Game& game) {
  const std::string text = print(game);
  EXPECT_TRUE(same(game, game_of(text))) << text;
  EXPECT_EQ(print(game_of(text)), text);
  const std::string paper = print(game, Dialect::paper);
  EXPECT_EQ(paper.find("START"), std::string::npos);
  EXPECT_TRUE(same(game, game_of(paper))) << paper;
}

TEST(RoundTrip, ShippedGames) {
  int games = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_ROOT "/games/toss")) {
    SCOPED_TRACE(entry.path());
    expect_round_trip(testing::shipped_game(entry.path().stem()));
    ++games;
  }
  EXPECT_GE(games, 7);
}

TEST(RoundTrip, RandomGames) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    testing::RandomTexts texts(seed);
    const std::string text = texts.game();
    SCOPED_TRACE(text);
    expect_round_trip(game_of(text));
    if (HasFailure()) return;
  }
}

TEST(RoundTrip, WritesTheLaterDialect) {
  const Game game = game_of(
      "PLAYERS X, O RULE M: [a | - | -] -> [a | P (a) | -] emb P pre not ex x P(x)\n"
      "LOC 0 { PLAYER X PAYOFF { X: 1; O: -1 } MOVES [M -> 3] } LOC 3 { }\n"
      "MODEL [a | P:1 {} | x {a->-0.5}]");
  EXPECT_EQ(print(game),
            "PLAYERS X, O\n"
            "\n"
            "RULE M:\n"
            "  [a | - | -] ->\n"
            "  [a | P (a) | -]\n"
            "  emb P\n"
            "  pre not ex x (P(x))\n"
            "\n"
            "LOC 0 {\n"
            "  PLAYER X {\n"
            "    PAYOFF 1\n"
            "    MOVES [M -> 3]\n"
            "  }\n"
            "  PLAYER O {\n"
            "    PAYOFF -1\n"
            "  }\n"
            "}\n"
            "\n"
            "LOC 3 {\n"
            "  PLAYER X {\n"
            "    PAYOFF 0\n"
            "  }\n"
            "  PLAYER O {\n"
            "    PAYOFF 0\n"
            "  }\n"
            "}\n"
            "\n"
            "START [a | P:1 {} | x {a->-0.5}]\n");
}

}  // namespace
}  // namespace zermelo::toss
