// Orders among binary relations, and how arguments step along them.
#include "analysis/order_relations.h"

#include <gtest/gtest.h>

#include "analysis/argument_steps.h"
#include "base/random.h"
#include "support/load_game.h"

namespace zermelo::analysis {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(BinaryRelation, TotalOrders) {
  const BinaryRelation greater(Pairs{{"c", "a"}, {"b", "a"}, {"c", "b"}});
  const auto ranks = greater.total_order();
  ASSERT_TRUE(ranks);
  EXPECT_EQ((*ranks)[*greater.find("a")], 0u);
  EXPECT_EQ((*ranks)[*greater.find("c")], 2u);
  EXPECT_TRUE(BinaryRelation(Pairs{{"a", "a"}, {"b", "a"}, {"b", "b"}}).total_order());
  EXPECT_FALSE(BinaryRelation(Pairs{{"a", "b"}, {"b", "c"}}).total_order());  // not transitive
  EXPECT_FALSE(BinaryRelation(Pairs{{"a", "b"}, {"b", "c"}, {"c", "a"}}).total_order());  // a cycle
  EXPECT_FALSE(BinaryRelation(Pairs{{"a", "b"}, {"b", "a"}}).total_order());
  EXPECT_FALSE(BinaryRelation(Pairs{}).total_order());
}

TEST(BinaryRelation, Successors) {
  EXPECT_TRUE(BinaryRelation(Pairs{{"1", "2"}, {"2", "3"}, {"7", "8"}}).is_successor());
  EXPECT_FALSE(BinaryRelation(Pairs{{"1", "2"}, {"1", "3"}}).is_successor());
  EXPECT_FALSE(BinaryRelation(Pairs{{"1", "3"}, {"2", "3"}}).is_successor());
  EXPECT_FALSE(BinaryRelation(Pairs{{"1", "2"}, {"2", "1"}}).is_successor());
  EXPECT_FALSE(BinaryRelation(Pairs{{"1", "1"}}).is_successor());
  EXPECT_FALSE(BinaryRelation(Pairs{}).is_successor());
}

// The definition, word by word, on random relations of four elements.
TEST(BinaryRelation, AgreesWithTheDefinition) {
  base::Random random(1);
  std::size_t orders = 0;
  for (int i = 0; i < 20'000; ++i) {
    bool related[3][3] = {};
    Pairs pairs;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        related[a][b] = random.below(2) == 0;
        if (related[a][b]) pairs.emplace_back(std::to_string(a), std::to_string(b));
      }
    }
    const BinaryRelation relation(pairs);
    if (relation.size() < 3) continue;
    bool is_order = true;
    for (int a = 0; a < 3; ++a) {
      for (int b = 0; b < 3; ++b) {
        if (a != b && related[a][b] == related[b][a]) is_order = false;
        for (int c = 0; c < 3; ++c) {
          if (a != b && b != c && a != c && related[a][b] && related[b][c] && !related[a][c]) {
            is_order = false;
          }
        }
      }
    }
    orders += is_order;
    EXPECT_EQ(relation.total_order().has_value(), is_order);
  }
  EXPECT_GT(orders, 100u);
}

std::vector<std::string> steps_of(const std::string& rules, const std::string& fluent) {
  const auto machine = testing::from_text(rules);
  LiftedRules lifted(machine->game());
  std::set<std::uint64_t> signatures;
  for (const gdl::Term& term : machine->game().fluents) {
    if (lifted.symbols().name(term.name) == fluent) signatures.insert(gdl::signature(term));
  }
  std::vector<std::string> result;
  for (const ArgumentStep& step : find_argument_steps(lifted, signatures)) {
    result.push_back(std::to_string(step.position) + (step.forward ? " > " : " < ") +
                     lifted.symbols().name(step.relation.name));
  }
  std::sort(result.begin(), result.end());
  return result;
}

// The relation may be in the rule of `next`, in the condition of the move, or in a predicate.
TEST(ArgumentSteps, AreFoundInNextAndLegal) {
  const std::string common = R"(
    (role a) (init (at 1)) (succ 1 2) (succ 2 3) (<= terminal (true (at 3))) (goal a 100)
  )";
  EXPECT_EQ(steps_of(common + R"((legal a go)
    (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y)))",
                     "at"),
            std::vector<std::string>{"0 > succ"});
  EXPECT_EQ(steps_of(common + R"(
    (<= (legal a (go ?x ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (next (at ?y)) (does a (go ?x ?y))))",
                     "at"),
            std::vector<std::string>{"0 > succ"});
  EXPECT_EQ(steps_of(common + R"(
    (<= (near ?x ?y) (true (at ?x)) (or (succ ?x ?y) (succ ?y ?x)))
    (<= (legal a (go ?y)) (near ?x ?y))
    (<= (next (at ?y)) (does a (go ?y))))",
                     "at"),
            (std::vector<std::string>{"0 < succ", "0 > succ"}));
  EXPECT_EQ(steps_of(common + R"((legal a (go 2)) (legal a (go 3))
    (<= (next (at ?y)) (does a (go ?y))))",
                     "at"),
            std::vector<std::string>{});
}

}  // namespace
}  // namespace zermelo::analysis
