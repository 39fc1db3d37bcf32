#include "toss/parser.h"

#include <gtest/gtest.h>

#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::game_of;

// The beginning of a small game, to which tests add what is wrong.
const std::string start = "PLAYERS X, O\nSTART [a, b | P (a); Q:1 {}; R (a, b) | f {a->1.}]\n";
const std::string location = "LOC 0 { PLAYER X { PAYOFF 1 } }\n";

std::string first_problem(const std::string& text) {
  const base::Source source("game.toss", text);
  const ParseResult result = parse(source);
  if (result.diagnostics.empty()) return "";
  return base::format(result.diagnostics.front(), source);
}

TEST(Parser, ReadsTheDialectOfTheFirstPaper) {
  const std::string rest =
      "REL WinP() = ex x (P(x) and Q(x))\n"
      "RULE Cross: [a | - | - ] -> [a | P(a) | - ] emb P, Q pre not WinP()\n";
  const Game old = game_of("PLAYERS X, O\n" + rest +
                           "LOC 0 { PLAYER X PAYOFF { X: :(WinP()) - 1; O: 1 - :(WinP()) }\n"
                           "MOVES [Cross -> 1] }\n"
                           "LOC 1 { PLAYER O PAYOFF { X: 0; O: 2; } MOVES [Cross -> 0] }\n"
                           "MODEL [ | P:1 {}; Q:1 {} | ] \"\n\n . . .\n\n . P .\n\n . . .\n\"");
  const Game later = game_of(
      "PLAYERS X, O\n" + rest +
      "LOC 0 { PLAYER X { PAYOFF :(WinP()) - 1 MOVES [Cross -> 1] } PLAYER O { PAYOFF 1 - "
      ":(WinP()) } }\n"
      "LOC 1 { PLAYER X { PAYOFF 0 } PLAYER O { PAYOFF 2 MOVES [Cross -> 0] } }\n"
      "START [a1, b1, c1, a2, b2, c2, a3, b3, c3 | P (b2); Q:1 {};\n"
      "R {(a1, b1); (b1, c1); (a2, b2); (b2, c2); (a3, b3); (b3, c3)};\n"
      "C {(a1, a2); (b1, b2); (c1, c2); (a2, a3); (b2, b3); (c2, c3)}\n"
      "| x {b1->1, b2->1, b3->1, c1->2, c2->2, c3->2}; y {a2->1, b2->1, c2->1, a3->2, b3->2, "
      "c3->2}]");
  EXPECT_TRUE(same(old, later)) << print(old) << print(later);
  EXPECT_EQ(old.start.names[4], "b2");
}

TEST(Parser, TakesStartAndACurrentModel) {
  const Game game = game_of(start + location + "MODEL [a | Q (a) | -]");
  EXPECT_EQ(game.start.names.size(), 2u);
  ASSERT_TRUE(game.model);
  EXPECT_EQ(game.model->names.size(), 1u);
  EXPECT_TRUE(same(game, game_of(print(game))));
}

TEST(Parser, BindsOperatorsByTheirPrecedence) {
  const auto formula = [](const std::string& text) {
    return print(*game_of(start + location + "REL D(x, y) = " + text).definitions[0].body);
  };
  EXPECT_EQ(formula("P(x) or Q(x) and not P(y) or true"), "P(x) or Q(x) and not P(y) or true");
  EXPECT_EQ(formula("(P(x) or Q(x)) and P(y)"), "(P(x) or Q(x)) and P(y)");
  EXPECT_EQ(formula("ex z P(z) and Q(x)"), "ex z (P(z)) and Q(x)");
  EXPECT_EQ(formula("all u, v (R(u, v) or u != v)"), "all u, v (R(u, v) or u != v)");
  EXPECT_EQ(formula("f(x) + 2 * f(y) > 1"), "(f(x) + 2 * f(y)) - 1 > 0");
  EXPECT_EQ(formula("-f(x)^2 <= 0"), "-f(x)^2 <= 0");
  EXPECT_EQ(formula("1/4 - (f(x) - f(y)) != 0"), "0.25 - (f(x) - f(y)) != 0");
  EXPECT_EQ(formula("Sum (u, v | R(u, v) : :(P(u))) = 0"), "Sum (u, v | R(u, v) : :(P(u))) = 0");
  EXPECT_EQ(formula("tc x, y R(x, y)"), "tc x, y (R(x, y))");
  EXPECT_EQ(formula("lfp X(x) = (P(x) or ex z (R(x, z) and X(z)))"),
            "lfp X(x) = (P(x) or ex z (R(x, z) and X(z)))");
  EXPECT_EQ(formula("let L(z) = R(x, z) in L(y) and P(x)"),
            "(let L(z) = R(x, z) in L(y) and P(x))");
}

TEST(Parser, OrdersDefinitionsByUse) {
  const Game game = game_of(start + location + "REL A() = B()\nREL B() = ex x P(x)\n");
  EXPECT_EQ(game.definitions[0].name, "B");
  EXPECT_EQ(game.definitions[1].name, "A");
}

TEST(Parser, TakesElementsFromRelationsWhereNoneIsListed) {
  const Game game = game_of("PLAYERS X\n" + location + "START [ | R {(b, a); (a, c)} | ]");
  EXPECT_EQ(game.start.names, (std::vector<std::string>{"b", "a", "c"}));
}

TEST(Parser, ReadsCorrespondencesOfElements) {
  const Game game =
      game_of(start + location + "RULE Copy: [a | - | -] -> [b, c | - | -] with [b <- a, c <- a]");
  EXPECT_EQ(game.rules[0].origin, (std::vector<std::optional<Element>>{0, 0}));
  EXPECT_TRUE(same(game, game_of(print(game))));
}

TEST(Parser, ReportsEveryPartWithASyntaxError) {
  const base::Source source("game.toss", "PLAYERS X,\nREL A( = 1\nRULE R [a]\nLOC x {}\n");
  EXPECT_EQ(parse(source).diagnostics.size(), 4u);
}

TEST(Parser, ShowsThePlaceOfAProblem) {
  EXPECT_EQ(first_problem(start + "LOC 0 { PLAYER X { PAYOFF :(P(x)) } }\n"),
            "game.toss:3:29: error: 'x' is not bound here; a payoff has no free variables "
            "[free-variable]\n"
            "LOC 0 { PLAYER X { PAYOFF :(P(x)) } }\n"
            "                            ^~~~\n");
}

struct Bad {
  const char* text;
  const char* expected;  // line:column: error: ... [code], in parts
};

class BadInput : public ::testing::TestWithParam<Bad> {};

TEST_P(BadInput, HasALocatedMessage) {
  const std::string shown = first_problem(GetParam().text);
  EXPECT_EQ(shown.substr(0, std::string(GetParam().expected).size()), GetParam().expected) << shown;
}

#define START "START [a, b | P (a); R (a, b) | f {a->1}] LOC 0 { PLAYER X { PAYOFF 0 } }\n"

const Bad bad_inputs[] = {
    {"", "game.toss:1:1: error: the game has no PLAYERS [missing-part]"},
    {"PLAYERS X " START "MODEL [a", "game.toss:2:9: error: the file ends where ',' is expected"},
    {"PLAYERS X START [a]", "game.toss:1:20: error: the game has no LOC [missing-part]"},
    {"PLAYERS X LOC 0 {}", "game.toss:1:19: error: the game has no START and no MODEL"},
    {"PLAYERS X, X " START, "game.toss:1:12: error: there is already a player 'X' [repeated-name]"},
    {"PLAYERS X ? ", "game.toss:1:11: error: no part of a game begins with this character"},
    {"PLAYERS X \x01", "game.toss:1:11: error: this byte belongs to no text [not-text]"},
    {"PLAYERS X \"", "game.toss:1:11: error: this quote is not closed [unclosed-quote]"},
    {"Players X", "game.toss:1:1: error: 'Players' stands where PLAYERS, REL, RULE"},
    {"PLAYERS and", "game.toss:1:9: error: 'and' stands where a player is expected"},
    {"PLAYERS X " START "REL D() = Win()",
     "game.toss:2:11: error: no structure has a relation 'Win', and no REL defines it"},
    {"PLAYERS X " START "REL D() = ex x P(x, x)",
     "game.toss:2:16: error: 'P' has arity 1, and stands here with 2 [arity-mismatch]"},
    {"PLAYERS X " START "REL D() = ex x g(x) > 0",
     "game.toss:2:16: error: no structure has a function 'g' [unknown-function]"},
    {"PLAYERS X " START "REL D(x) = P(y)", "game.toss:2:12: error: 'y' is not bound here"},
    {"PLAYERS X " START "REL D() = 1 + 2", "game.toss:2:11: error: a formula is expected here"},
    {"PLAYERS X " START "REL D() = P(x) + 1 > 0 and",
     "game.toss:2:27: error: the file ends where a formula or term is expected"},
    {"PLAYERS X " START "REL D() = (true) + 1 > 0",
     "game.toss:2:12: error: a real-valued term is expected here"},
    {"PLAYERS X " START "REL D(x, y) = x < y", "game.toss:2:15: error: elements are compared"},
    {"PLAYERS X " START "REL D() = ex x, x P(x)",
     "game.toss:2:11: error: a variable is bound twice"},
    {"PLAYERS X " START "REL D() = ex x (tc x (P(x)))",
     "game.toss:2:20: error: tc takes exactly two variables"},
    {"PLAYERS X " START "REL D(x) = lfp X(x) = not X(x)",
     "game.toss:2:27: error: the variable 'X' of a fixed point occurs here under a negation"},
    {"PLAYERS X " START "REL D(x) = lfp X(x) = (:(X(x)) > 0)",
     "game.toss:2:26: error: the variable 'X' of a fixed point"},
    {"PLAYERS X " START "REL D(x) = lfp X(x) = (let L(y) = not X(y) in L(x))",
     "game.toss:2:47: error: the variable 'X' of a fixed point"},
    {"PLAYERS X " START "REL D() = D()", "game.toss:2:5: error: 'D' is defined by itself"},
    {"PLAYERS X " START "REL A() = B()\nREL B() = A()",
     "game.toss:2:5: error: 'A' is defined by itself"},
    {"PLAYERS X " START "REL A() = true\nREL A() = false",
     "game.toss:3:5: error: there is already a definition of 'A'"},
    {"PLAYERS X " START "REL D() = 1/0 > 0", "game.toss:2:13: error: a number cannot be divided"},
    {"PLAYERS X " START "REL D() = 1e999 > 0", "game.toss:2:11: error: this number is too large"},
    {"PLAYERS X START [a | P (b) | -]", "game.toss:1:25: error: 'b' is not among the elements"},
    {"PLAYERS X START [a, a | - | -]", "game.toss:1:21: error: there is already an element 'a'"},
    {"PLAYERS X START [a | P (a); P (a, a) | -]", "game.toss:1:31: error: 'P' has arity 1"},
    {"PLAYERS X START [a | P {} | -]", "game.toss:1:22: error: the arity of 'P' is nowhere given"},
    {"PLAYERS X START [a | P:x {} | -]", "game.toss:1:24: error: 'x' stands where a number"},
    {"PLAYERS X START [a | P:2.5 {} | -]", "game.toss:1:24: error: an arity is a whole number"},
    {"PLAYERS X START [ | | ] \". .\n.\"", "game.toss:1:25: error: the lines of a picture"},
    {"PLAYERS X START [ | | ] \". +\"", "game.toss:1:25: error: a cell of a picture is a dot"},
    {"PLAYERS X " START "REL D(x) = P(x)\nRULE R: [a | - | -] -> [a | D (a) | -]",
     "game.toss:3:29: error: 'D' is defined by REL; such relations stand on left sides"},
    {"PLAYERS X " START "RULE R: [a | - | -] -> [a | - | -] emb N",
     "game.toss:2:40: error: no structure has a relation 'N'"},
    {"PLAYERS X " START "RULE R: [a | - | -] -> [b | - | -] pre P(b)",
     "game.toss:2:40: error: 'b' is not bound here; pre may name elements of the left side"},
    {"PLAYERS X " START "RULE R: [a | - | -] -> [b | - | -] post P(a)",
     "game.toss:2:41: error: 'a' is not bound here; post may name elements of the right side"},
    {"PLAYERS X " START "RULE R: [a | - | -] -> [b | - | -] with [a <- a]",
     "game.toss:2:42: error: 'a' is no element of the right side"},
    {"PLAYERS X " START "RULE R: [a | - | -] -> [a | - | -] pre true pre true",
     "game.toss:2:45: error: this part stands here a second time"},
    {"PLAYERS X " START "RULE R: [ | | ] -> [ | | ]\nRULE R: [ | | ] -> [ | | ]",
     "game.toss:3:6: error: there is already a rule 'R'"},
    {"PLAYERS X " START "LOC 1 { PLAYER Y { PAYOFF 0 } }",
     "game.toss:2:16: error: 'Y' is not among the PLAYERS"},
    {"PLAYERS X " START "LOC 1 { PLAYER X { MOVES [R -> 0] } }",
     "game.toss:2:27: error: there is no rule 'R'"},
    {"PLAYERS X " START "RULE R: [ | | ] -> [ | | ] LOC 1 { PLAYER X { MOVES [R -> 7] } }",
     "game.toss:2:59: error: there is no location 7"},
    {"PLAYERS X " START "LOC 0 {}", "game.toss:2:5: error: there is already a location '0'"},
    {"PLAYERS X " START "LOC 1.5 {}", "game.toss:2:5: error: a location is a whole number"},
    {"PLAYERS X " START "LOC 1 { MOVES [R -> 0] }", "game.toss:2:9: error: PLAYER must say whose"},
    {"PLAYERS X, Y " START "RULE R: [ | | ] -> [ | | ]\n"
     "LOC 1 { PLAYER X { MOVES [R -> 0] } PLAYER Y { MOVES [R -> 1] } }",
     "game.toss:3:5: error: where several players move at once, all moves must lead to"},
    {"PLAYERS X " START "START [a]", "game.toss:2:1: error: START stands here a second time"},
};

INSTANTIATE_TEST_SUITE_P(Table, BadInput, ::testing::ValuesIn(bad_inputs));

TEST(Parser, RefusesDeepNesting) {
  const std::string deep(1000, '(');
  EXPECT_NE(first_problem(start + location + "REL D() = " + deep).find("[too-deep]"),
            std::string::npos);
  std::string negations;
  for (int i = 0; i < 1000; ++i) negations += "not ";
  EXPECT_NE(first_problem(start + location + "REL D() = " + negations + "Z()").find("[too-deep]"),
            std::string::npos);
}

TEST(Parser, TakesLongChains) {
  std::string chain = "P(x)", sum = "1";
  for (int i = 0; i < 20'000; ++i) chain += " and P(x)", sum += " - 1";
  const Game game =
      game_of(start + "REL D(x) = " + chain + "\nLOC 0 { PLAYER X { PAYOFF " + sum + " } }");
  EXPECT_TRUE(same(game, game_of(print(game))));
}

TEST(Parser, WarnsOfFunctionsOnLeftSides) {
  const base::Source source("game.toss",
                            start + location + "RULE R: [a | - | f {a->1}] -> [a | - | -]");
  const ParseResult result = parse(source);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "left-function");
  EXPECT_FALSE(base::has_errors(result.diagnostics));
}

TEST(Parser, RecognisesItsFiles) {
  EXPECT_TRUE(looks_like_toss(base::Source("", "// GDL\nPLAYERS X")));
  EXPECT_FALSE(looks_like_toss(base::Source("", "(role white) (<= (legal ?r noop))")));
}

}  // namespace
}  // namespace zermelo::toss
