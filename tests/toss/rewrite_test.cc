#include "toss/rewrite.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::game_of;

// Calls visit with every tuple over the elements.
template <class Visit>
void for_each_tuple(const std::vector<Element>& elements, std::size_t width, Visit visit,
                    std::vector<Element> head = {}) {
  if (head.size() == width) return visit(head);
  for (const Element element : elements) {
    head.push_back(element);
    for_each_tuple(elements, width, visit, head);
    head.pop_back();
  }
}

bool is_embedded(const Rule& rule, std::size_t relation) {
  return std::count(rule.embedded.begin(), rule.embedded.end(), relation) > 0;
}

// Definition 1, word by word.
bool is_match(const Game& game, const Rule& rule, const Structure& structure, const Match& match) {
  for (std::size_t i = 0; i < match.size(); ++i) {
    if (std::count(match.begin(), match.end(), match[i]) != 1) return false;
  }
  bool result = true;
  for (std::size_t r = 0; r < game.signature.relations.size(); ++r) {
    for_each_tuple(rule.left.structure.universe(), game.signature.relations[r].arity,
                   [&](const std::vector<Element>& tuple) {
                     std::vector<Element> image;
                     for (const Element element : tuple) image.push_back(match[element]);
                     const bool left = rule.left.structure.relation(r).contains(tuple);
                     const bool there = structure.relation(r).contains(image);
                     if (left && !there) result = false;
                     if (is_embedded(rule, r) && there && !left) result = false;
                   });
  }
  return result;
}

// Definition 2, word by word, with the right side's elements called as `right` says.
TupleSet rewritten_relation(const Game& game, std::size_t relation, const Rule& rule,
                            const Structure& structure, const Match& match,
                            const std::vector<Element>& right) {
  const std::size_t arity = game.signature.relations[relation].arity;
  std::vector<Element> universe = right, old;
  for (const Element element : structure.universe()) {
    if (std::count(match.begin(), match.end(), element) == 0) old.push_back(element);
  }
  universe.insert(universe.end(), old.begin(), old.end());
  const auto is_old = [&](Element b) { return std::count(old.begin(), old.end(), b) > 0; };
  const auto stands_for = [&](Element b, Element a) {
    if (is_old(b)) return a == b;
    const auto place = std::find(right.begin(), right.end(), b) - right.begin();
    const auto origin = rule.origin[static_cast<std::size_t>(place)];
    return origin && match[*origin] == a;
  };
  TupleSet result(arity);
  for_each_tuple(universe, arity, [&](const std::vector<Element>& tuple) {
    for_each_tuple(rule.right.structure.universe(), arity, [&](const std::vector<Element>& r) {
      bool same = rule.right.structure.relation(relation).contains(r);
      for (std::size_t i = 0; i < arity; ++i) same = same && right[r[i]] == tuple[i];
      if (same) result.insert(tuple);
    });
    const bool any_old = std::any_of(tuple.begin(), tuple.end(), is_old);
    if (is_embedded(rule, relation) && !any_old) return;
    const TupleSet& before = structure.relation(relation);
    for (std::size_t i = 0; i < before.size(); ++i) {
      bool replaced = true;
      for (std::size_t j = 0; j < arity; ++j) replaced &= stands_for(tuple[j], before[i][j]);
      if (replaced) result.insert(tuple);
    }
  });
  return result;
}

std::string random_rule(testing::RandomTexts& texts) {
  const char* sides[] = {"[ | - | -]",
                         "[a | - | -]",
                         "[a | P (a) | -]",
                         "[a, b | E (a, b) | -]",
                         "[a, b | E {(a, b); (b, b)}; P (b) | -]",
                         "[a, b | - | -]",
                         "[b, c | E (c, b); Q {b; c} | -]",
                         "[a, b, c | P (a); E {(a, b); (b, c)}; Z () | -]"};
  const char* withs[] = {"", "", "", " with [b <- a]", " with []", " with [a <- b, b <- a]"};
  std::string rule =
      std::string("RULE M: ") + sides[texts.below(8)] + " -> " + sides[texts.below(8)];
  rule += withs[texts.below(6)];
  if (texts.below(3) > 0) rule += texts.below(2) == 0 ? " emb P, E, Z" : " emb E, Q";
  return rule + "\n";
}

TEST(RewriteTwins, FollowTheDefinitions) {
  std::size_t applied = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    testing::RandomTexts texts(seed);
    const std::string text = "PLAYERS X\n" + random_rule(texts) +
                             "LOC 0 { PLAYER X { PAYOFF 0 MOVES [M -> 0] } }\nSTART " +
                             texts.structure(texts.below(5));
    const base::Source source("test", text);
    const ParseResult parsed = parse(source);
    if (base::has_errors(parsed.diagnostics)) continue;  // a correspondence of other elements
    SCOPED_TRACE(text);
    const Game& game = parsed.game;
    const Rule& rule = game.rules[0];
    const Structure& structure = game.start.structure;
    const Theory theory(game);
    const Query query(theory, *match_condition(rule, game.signature), {}, rule.left.names);
    const TupleSet matches = query.answers(structure);
    TupleSet expected(rule.left.names.size());
    for_each_tuple(structure.universe(), rule.left.names.size(), [&](const Match& match) {
      if (is_match(game, rule, structure, match)) expected.insert(match);
    });
    ASSERT_EQ(matches, expected);
    const ElementNames names(game);
    for (std::size_t i = 0; i < matches.size(); ++i) {
      const Application application{&rule, Match(matches[i].begin(), matches[i].end())};
      const Rewritten result = rewrite(structure, {&application, 1}, game, names);
      for (std::size_t r = 0; r < game.signature.relations.size(); ++r) {
        ASSERT_EQ(result.structure.relation(r),
                  rewritten_relation(game, r, rule, structure, application.match, result.right[0]));
      }
      ++applied;
    }
  }
  EXPECT_GT(applied, 1000u);
}

// The paper's Figure 1: an element is copied, with its place in the relations around it.
TEST(Rewrite, CopiesElements) {
  const Game game = game_of(
      "PLAYERS X\n"
      "RULE M: [a, b | R (a, b) | -] -> [a, b, c | - | -] with [a <- a, b <- b, c <- b] emb R\n"
      "LOC 0 { }\nSTART [p, q, r | R {(p, q); (q, r)} | f {q->3}]");
  const Application application{&game.rules[0], {0, 1}};
  const ElementNames names(game);
  const Rewritten result = rewrite(game.start.structure, {&application, 1}, game, names);
  ASSERT_EQ(result.structure.universe().size(), 4u);
  const Element copy = result.right[0][2];
  EXPECT_EQ(names.name(copy), "c_1");
  // R(a, b) goes, as R is embedded; the copy has the edge to r that its origin has.
  EXPECT_EQ(result.structure.relation(0), TupleSet(2, {1, 2, copy, 2}));
  EXPECT_EQ(result.structure.value(0, copy), 3);
}

TEST(Rewrite, AppliesRulesOfSeveralPlayersAtOnce) {
  const Game game = game_of(
      "PLAYERS X, O\n"
      "RULE Take: [a, b | P (a); P (b) | -] -> [a | P (a) | -] emb P\n"
      "RULE Mark: [a | P (a) | -] -> [a | Q (a) | -] emb P\n"
      "LOC 0 { }\nSTART [p, q, r | P {p; q; r}; Q:1 {} | -]");
  const ElementNames names(game);
  const auto together = [&](const Match& take, const Match& mark) {
    const std::vector<Application> both = {{&game.rules[0], take}, {&game.rules[1], mark}};
    return rewrite(game.start.structure, both, game, names).structure;
  };
  // X takes q while O marks r.
  Structure result = together({0, 1}, {2});
  EXPECT_EQ(result.universe(), (std::vector<Element>{0, 2}));
  EXPECT_EQ(result.relation(0), TupleSet(1, {0}));
  EXPECT_EQ(result.relation(1), TupleSet(1, {2}));
  // O marks what X takes: it is gone, and the mark with it.
  result = together({0, 1}, {1});
  EXPECT_EQ(result.universe(), (std::vector<Element>{0, 2}));
  EXPECT_TRUE(result.relation(1).empty());
}

TEST(ElementNames, AvoidNamesOfTheStart) {
  const Game game = game_of(
      "PLAYERS X\nRULE M: [a | - | -] -> [a, b | - | -]\nLOC 0 { }\n"
      "START [a, b_1, b_x | - | -]");
  const ElementNames names(game);
  const Element created = names.create("b", game.start.structure.universe());
  EXPECT_EQ(names.name(created), "b__1");
  EXPECT_NE(names.create("b", {0, 1, 2, created}), created);
}

}  // namespace
}  // namespace zermelo::toss
