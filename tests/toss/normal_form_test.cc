#include "toss/normal_form.h"

#include <gtest/gtest.h>

#include "toss/expand.h"
#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::game_of;

Game game_with(const std::string& formula, const std::string& structure) {
  return game_of("PLAYERS X\nREL Test(x, y) = " + formula + "\nLOC 0 { }\nSTART " + structure);
}

bool always(const Definition&) { return true; }

FormulaPtr prepared(const Game& game, const Formula& formula) {
  return negation_normal_form(expand(game, formula, always));
}

bool mentions_p(const Formula& formula) { return relations_in(formula).count("P") > 0; }

const std::string board = "[ | P:1 {}; Q:1 {}; S:1 {}; R {(a, b); (b, c)}; C {(a, d)} | -]";

std::string tnf(const std::string& formula) {
  const Game game = game_with(formula, board);
  return print(*type_normal_form(prepared(game, *game.definitions[0].body), mentions_p));
}

// The example that follows Definition 5.
TEST(TypeNormalForm, MovesOutWhatDoesNotContainTheVariable) {
  EXPECT_EQ(tnf("ex x (P(x) and (Q(y) or S(x)))"), "Q(y) and ex x (P(x)) or ex x (P(x) and S(x))");
}

// Example 7 of the first paper.
TEST(TypeNormalForm, IsTheOneOfExample7) {
  EXPECT_EQ(tnf("ex x, y, z (P(x) and P(y) and P(z) and "
                "((R(x, y) and R(y, z)) or (C(x, y) and C(y, z))))"),
            "ex x (P(x) and ex y (P(y) and R(x, y) and ex z (P(z) and R(y, z))))"
            " or "
            "ex x (P(x) and ex y (P(y) and C(x, y) and ex z (P(z) and C(y, z))))");
}

TEST(TypeNormalForm, ResolvesVariablesInFluentsFirst) {
  EXPECT_EQ(tnf("ex u, v (R(u, v) and C(v, x) and P(v))"),
            "ex v (C(v, x) and P(v) and ex u (R(u, v)))");
  // Without fluents, what is connected to free variables comes first.
  EXPECT_EQ(tnf("ex u, v (R(u, v) and C(v, x))"), "ex v (C(v, x) and ex u (R(u, v)))");
}

TEST(TypeNormalForm, TreatsUniversalQuantifiersDually) {
  EXPECT_EQ(tnf("all z (P(z) and Q(y) or S(x))"), "(S(x) or all z (P(z))) and (Q(y) or S(x))");
}

// Theorem 6 on random formulas: equivalent, and in TNF.
TEST(TypeNormalFormTwins, IsEquivalentAndInNormalForm) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    testing::RandomTexts texts(seed);
    const std::string formula = texts.first_order({"x", "y"}, 2 + static_cast<int>(seed % 3));
    const Game game = game_with(formula, texts.structure(1 + texts.below(4)));
    const Formula& body = *game.definitions[0].body;
    FormulaPtr form;
    try {
      form = type_normal_form(prepared(game, body), mentions_p);
    } catch (const LimitReached&) {
      continue;
    }
    SCOPED_TRACE(formula + "\n" + print(*form) + "\n" + print(game.start, game.signature));
    EXPECT_TRUE(is_in_type_normal_form(*form));
    const testing::NaiveEvaluator naive(game, game.start.structure);
    for (const Element x : game.start.structure.universe()) {
      for (const Element y : game.start.structure.universe()) {
        ASSERT_EQ(naive.holds(*form, {{"x", x}, {"y", y}}),
                  naive.holds(body, {{"x", x}, {"y", y}}));
      }
    }
  }
}

TEST(TypeNormalForm, IsRecognised) {
  const auto is_normal = [](const std::string& text) {
    const Game game = game_with(text, board);
    return is_in_type_normal_form(*game.definitions[0].body);
  };
  EXPECT_TRUE(is_normal("ex z (R(z, x) and (P(z) or z != y)) or not Q(x)"));
  EXPECT_FALSE(is_normal("ex z (P(z) and Q(y))"));
  EXPECT_FALSE(is_normal("not (P(x) and Q(x))"));
}

// Definitions inserted and variables renamed: the same meaning, with everything but first-order
// logic as well.
TEST(ExpandTwins, KeepsTheMeaning) {
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    testing::RandomTexts texts(seed);
    const std::string text = "PLAYERS X\nREL Inner(x, y) = " + texts.formula({"x", "y"}, 2) +
                             "\nREL Test(x, y) = Inner(y, y) or ex z (Inner(z, x) and (" +
                             texts.formula({"x", "y", "z"}, 3) + "))\nLOC 0 { }\nSTART " +
                             texts.structure(1 + texts.below(3));
    SCOPED_TRACE(text);
    const Game game = game_of(text);
    const Formula& body = *game.definitions[1].body;
    const FormulaPtr expanded = expand(game, body, always);
    SCOPED_TRACE(print(*expanded));
    EXPECT_EQ(relations_in(*expanded).count("Inner"), 0u);
    const testing::NaiveEvaluator naive(game, game.start.structure);
    for (const Element x : game.start.structure.universe()) {
      for (const Element y : game.start.structure.universe()) {
        ASSERT_EQ(naive.holds(*expanded, {{"x", x}, {"y", y}}),
                  naive.holds(body, {{"x", x}, {"y", y}}));
      }
    }
  }
}

TEST(NormalForms, EndInALimit) {
  std::string formula = "(P(x) or Q(x))";
  for (int i = 0; i < 30; ++i) {
    const std::string name = "z" + std::to_string(i);
    formula += " and ex " + name + " (R(x, " + name + ") or C(y, " + name + "))";
  }
  const Game game = game_with(formula, board);
  EXPECT_THROW(disjunctive_normal_form(
                   type_normal_form(prepared(game, *game.definitions[0].body), mentions_p)),
               LimitReached);
}

}  // namespace
}  // namespace zermelo::toss
