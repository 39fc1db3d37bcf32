// Evaluation by relational algebra against the evaluator that tries all assignments, on random
// formulas and structures.
#include <gtest/gtest.h>

#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::NaiveEvaluator;
using testing::RandomTexts;

std::string game_text(RandomTexts& texts, const std::string& formula, const std::string& payoff,
                      std::size_t elements) {
  return "PLAYERS one\nREL Test(x, y) = " + formula + "\nREL Other(x) = ex y Test(x, y)\n" +
         "LOC 0 { PLAYER one { PAYOFF " + payoff + " } }\nSTART " + texts.structure(elements) +
         "\n";
}

StablePart all_stable(const Game& game) {
  return {std::vector<bool>(game.signature.relations.size(), true),
          std::vector<bool>(game.signature.functions.size(), true), true};
}

TupleSet naive_answers(const Game& game, const Formula& formula) {
  const Structure& structure = game.start.structure;
  const NaiveEvaluator naive(game, structure);
  TupleSet result(2);
  for (const Element x : structure.universe()) {
    for (const Element y : structure.universe()) {
      const std::vector<Element> tuple = {x, y};
      if (naive.holds(formula, {{"x", x}, {"y", y}})) result.insert(tuple);
    }
  }
  return result;
}

class QueryTwins : public ::testing::TestWithParam<int> {};

TEST_P(QueryTwins, FormulasHaveTheSameAnswers) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    RandomTexts texts(seed * 16 + static_cast<std::uint64_t>(GetParam()));
    const std::string formula = texts.formula({"x", "y"}, GetParam());
    const std::string text = game_text(texts, formula, "0", texts.below(5));
    SCOPED_TRACE(text);
    const Game game = testing::game_of(text);
    const Formula& body = *game.definitions[0].body;
    const TupleSet expected = naive_answers(game, body);
    const Structure& structure = game.start.structure;
    for (const StablePart& stable : {StablePart{}, all_stable(game)}) {
      const Theory theory(game, stable);
      ASSERT_EQ(Query(theory, body, {}, {"x", "y"}).answers(structure), expected);
      // The same with one variable given: only for some elements.
      if (structure.universe().empty()) continue;
      const TupleSet given(1, {structure.universe().front()});
      const TupleSet some = Query(theory, body, {"x"}, {"y"}).answers(structure, given);
      const auto [first, last] = expected.range(given[0]);
      ASSERT_EQ(some.size(), last - first);
      for (std::size_t i = first; i < last; ++i) ASSERT_TRUE(some.contains(expected[i]));
    }
  }
}

TEST_P(QueryTwins, TermsHaveTheSameValues) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    RandomTexts texts(seed * 16 + 8 + static_cast<std::uint64_t>(GetParam()));
    const std::string formula = texts.formula({"x", "y"}, 1);
    const std::string payoff = "(" + texts.term({}, GetParam()) +
                               ") + Sum (x | Other(x) : 1) + Sum (x, y | Test(x, y) : f(x) + 1)";
    const std::string text = game_text(texts, formula, payoff, texts.below(5));
    SCOPED_TRACE(text);
    const Game game = testing::game_of(text);
    const Term& term = *game.locations[0].players[0].payoff;
    const double expected = NaiveEvaluator(game, game.start.structure).value(term);
    for (const StablePart& stable : {StablePart{}, all_stable(game)}) {
      const Theory theory(game, stable);
      ASSERT_EQ(TermQuery(theory, term).value(game.start.structure), expected);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Depths, QueryTwins, ::testing::Values(1, 2, 3, 4, 5));

// What is evaluated in advance is what the game starts with; fluents are read from the structure.
TEST(Query, ReadsFluentsFromTheStructureAsked) {
  const Game game = testing::game_of(
      "PLAYERS one\nREL Test(x, y) = P(x) and E(x, y)\n"
      "LOC 0 { PLAYER one { PAYOFF Sum (x, y | Test(x, y) : 1) } }\n"
      "START [a, b, c | P (a); E {(a, b); (b, c); (b, a)} | -]");
  const Theory theory(game, {{false, true}, {}, true});
  const TermQuery query(theory, *game.locations[0].players[0].payoff);
  Structure later = game.start.structure;
  EXPECT_EQ(query.value(later), 1);
  later.set_relation(0, TupleSet(1, {1}));
  EXPECT_EQ(query.value(later), 2);
}

TEST(Query, EndsInALimitWhereAFormulaDescribesTooMuch) {
  const Game game = testing::game_of(
      "PLAYERS one\nREL All(x, y, z, u, v) = x = x and y = y and z = z and u = u and v = v\n"
      "LOC 0 { PLAYER one { PAYOFF 0 } }\n"
      "START [ | R {(a, b); (c, d); (e, f); (g, h); (i, j); (k, l); (m, n); (o, p)} | -]");
  EvaluationLimits limits;
  limits.max_cells = 100'000;
  const Theory theory(game, {}, limits);
  const Query query(theory, *game.definitions[0].body, {}, {"x", "y", "z", "u", "v"});
  EXPECT_THROW(query.answers(game.start.structure), LimitReached);
}

TEST(Query, RefusesFormulasThatDefinitionsMakeTooLarge) {
  std::string text = "PLAYERS one\nREL D0(x) = P(x) and Q(x)\n";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "D" + std::to_string(i - 1);
    text += "REL D" + std::to_string(i) + "(x) = " + before + "(x) or ex y (" + before +
            "(y) and " + before + "(x))\n";
  }
  text += "LOC 0 { PLAYER one { PAYOFF :(ex x D39(x)) } }\nSTART [a | P (a); Q (a) | -]";
  const Game game = testing::game_of(text);
  const Theory theory(game);
  EXPECT_THROW(TermQuery(theory, *game.locations[0].players[0].payoff), LimitReached);
}

// Definitions that are fixed points are evaluated once and shared by queries.
TEST(SharedFixedPoints, HaveTheSameAnswers) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomTexts texts(seed);
    const std::string first = texts.formula({"x", "y"}, 2), second = texts.formula({"x", "y"}, 1);
    const std::string text =
        "PLAYERS one\nREL Plain(x, y) = lfp Fix(x, y) = (" + first + ")\n" +
        "REL Steps(x, y) = lfp Path(x, y) = (Plain(x, y) or ex z (Plain(x, z) and Path(z, y)))\n" +
        "REL Both(x, y) = (Steps(y, x) and not Plain(x, y)) or (Plain(y, y) and (" + second +
        "))\nLOC 0 { PLAYER one { PAYOFF 0 } }\nSTART " + texts.structure(texts.below(4)) + "\n";
    SCOPED_TRACE(text);
    const Game game = testing::game_of(text);
    const Structure& structure = game.start.structure;
    for (const StablePart& stable : {StablePart{}, all_stable(game)}) {
      const Theory theory(game, stable);
      Evaluated evaluated;
      for (const char* name : {"Both", "Steps", "Plain", "Both"}) {
        const FormulaPtr atom = toss::atom(name, {"x", "y"});
        const TupleSet expected = naive_answers(game, *atom);
        const Query query(theory, *atom, {}, {"x", "y"});
        ASSERT_EQ(query.answers(structure, &evaluated), expected) << name;
        ASSERT_EQ(query.answers(structure), expected) << name;
      }
    }
  }
}

}  // namespace
}  // namespace zermelo::toss
