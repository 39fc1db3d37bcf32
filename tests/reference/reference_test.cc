#include "reference/reference.h"

#include <gtest/gtest.h>
#include <malloc.h>

#include <string>

#include "gdl/validity.h"
#include "machine/perft.h"
#include "machine/playouts.h"
#include "support/compare_engines.h"
#include "support/load.h"
#include "support/naive_model.h"
#include "support/random_game.h"

namespace zermelo::reference {
namespace {

using Names = std::vector<std::string>;

Reference engine(const std::string& text) {
  auto made = Reference::make(testing::rulesheet(text));
  EXPECT_TRUE(made.has_value());
  return std::move(*made);
}

// A one-role game in which every derived p(x) is a legal move of the initial state.
Names derived(const std::string& rules) {
  Reference reference = engine("(role r) (init i) (<= (legal r ?x) (p ?x)) (goal r 100) " + rules);
  Names names;
  for (const base::Move move : reference.legal_moves(reference.initial_state(), 0)) {
    names.push_back(reference.move_name(move));
  }
  return names;
}

TEST(Reference, FollowsMutualRecursionOverACycle) {
  EXPECT_EQ(derived("(e a b) (e b c) (e c a) (e d a) (<= (p ?y) (q a ?y)) (<= (q ?x ?y) (e ?x ?y))"
                    "(<= (q ?x ?z) (s ?x ?y) (e ?y ?z)) (<= (s ?x ?y) (q ?x ?y))"),
            (Names{"a", "b", "c"}));
}

TEST(Reference, FollowsDoublyRecursiveClosure) {
  EXPECT_EQ(derived("(e a b) (e b c) (e c d) (e d b) (<= (p ?y) (q a ?y)) (<= (q ?x ?y) (e ?x ?y))"
                    "(<= (q ?x ?z) (q ?x ?y) (q ?y ?z))"),
            (Names{"b", "c", "d"}));
}

TEST(Reference, NegatesRecursivePredicates) {
  EXPECT_EQ(derived("(n a) (n b) (n c) (n d) (e a b) (e b a) (e c d) (<= (r1 a))"
                    "(<= (r1 ?y) (r1 ?x) (e ?x ?y)) (<= (p ?x) (not (r1 ?x)) (n ?x))"),
            (Names{"c", "d"}));
}

// A million initial fluents.
std::string slow_game() {
  std::string facts;
  for (int i = 0; i < 100; ++i) facts += "(n " + std::to_string(i) + ")";
  return facts +
         "(role r) (<= (init (f ?a ?b ?c)) (n ?a) (n ?b) (n ?c)) (legal r wait) (goal r 100)";
}

TEST(Reference, StopsAtALimitAndStaysUsable) {
  bool is_told_to_end = true;
  base::Limits limits;
  limits.end_when([&] { return is_told_to_end; });
  Reference reference = std::move(*Reference::make(testing::rulesheet(slow_game()), limits));
  EXPECT_THROW(reference.initial_state(), base::LimitReached);
  EXPECT_EQ(reference.legal_moves({}, 0).size(), 1u);
  is_told_to_end = false;
  EXPECT_EQ(reference.initial_state().fluents.size(), 1'000'000u);
}

TEST(Reference, RespectsAMemoryLimit) {
  ::malloc_trim(0);  // so that memory freed by earlier tests is not reused
  const base::Limits limits(std::nullopt, base::resident_bytes() + (8u << 20));
  Reference reference = std::move(*Reference::make(testing::rulesheet(slow_game()), limits));
  EXPECT_THROW(reference.initial_state(), base::LimitReached);
}

// Many rules, each with 16 disjunctions of two branches.
TEST(Reference, ConstructionRespectsLimits) {
  std::string rules = "(role r) (legal r wait) (goal r 100) (p a)";
  for (int i = 0; i < 1000; ++i) {
    rules += "(<= (q " + std::to_string(i) + ")";
    for (int j = 0; j < 16; ++j) rules += "(or (p a) (p b))";
    rules += ")";
  }
  base::Limits limits;
  limits.end_when([] { return true; });
  const auto made = Reference::make(testing::rulesheet(rules), limits);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, base::ErrorKind::time_limit);
}

// A quadratic algorithm would take minutes.
TEST(Reference, HandlesARuleWithManyConditions) {
  std::string rule = "(n a) (<= (p ?x) (n ?x)";
  for (int i = 0; i < 100'000; ++i) rule += "(n a)";
  EXPECT_EQ(derived(rule + ")"), (Names{"a"}));
}

TEST(Reference, HandlesNestedConnectives) {
  EXPECT_EQ(derived("(n a) (n b) (n c) (k a) (k b) (m b)"
                    "(<= (p ?x) (n ?x) (not (or (not (k ?x)) (and (m ?x) (n ?x)))))"),
            (Names{"a"}));
  EXPECT_EQ(derived("(n a) (n b) (<= (p ?x) (n ?x) (not (distinct ?x a)))"), (Names{"a"}));
  EXPECT_EQ(derived("(n a) (n b) (n c) (<= (p ?x) (or (and (n ?x) (distinct ?x a)) (m ?x)))"),
            (Names{"b", "c"}));
}

TEST(Reference, MatchesNestedTermsAndRepeatedVariables) {
  EXPECT_EQ(derived("(t (f a b) b) (t (f b b) b) (t (g b) c) (<= (p (h ?x ?y)) (t (f ?x ?y) ?y))"),
            (Names{"(h a b)", "(h b b)"}));
  EXPECT_EQ(derived("(t a a) (t a b) (<= (p ?x) (t ?x ?x))"), (Names{"a"}));
}

TEST(Reference, HandlesFactsWithRulesAndSeveralArities) {
  EXPECT_EQ(derived("(p a) (p b c) (<= (p ?x) (p b ?x)) (<= (p ?x) (nowhere ?x))"),
            (Names{"a", "c"}));
}

std::string chain(int length) {
  std::string facts;
  for (int i = 0; i < length; ++i) {
    facts += "(succ n" + std::to_string(i) + " n" + std::to_string(i + 1) + ")";
  }
  return facts;
}

TEST(Reference, FollowsLongChains) {
  constexpr int length = 20'000;
  const std::string last = "n" + std::to_string(length);
  const std::string less =
      "(<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))";
  EXPECT_EQ(derived(chain(length) + less + "(<= (p yes) (less n0 " + last + "))"), (Names{"yes"}));
  EXPECT_EQ(derived(chain(length) + less + "(<= (p no) (less n5 n5))"), (Names{}));
}

TEST(Reference, StepsPerceptsAndChance) {
  Reference reference = engine(
      "(role r) (role random) (init start) (legal r look) (legal random heads) (legal random tails)"
      "(<= (sees r (coin ?side)) (does random ?side) (true start)) (sees r always)"
      "(<= (sees random ?x) (does random ?x)) (goal r 100) (goal random 50)"
      "(<= (next (fell ?side)) (does random ?side)) (<= terminal (true (fell heads)))");
  const Reference::State start = reference.initial_state();
  const std::vector<base::Move> look = reference.legal_moves(start, 0);
  const std::vector<base::Move> sides = reference.legal_moves(start, 1);
  ASSERT_EQ(sides.size(), 2u);
  const std::vector<base::Move> joint{look[0], sides[1]};
  Names seen;
  for (const base::Percept percept : reference.percepts(start, joint, 0))
    seen.push_back(reference.percept_name(percept));
  EXPECT_EQ(seen, (Names{"(coin tails)", "always"}));
  EXPECT_TRUE(reference.percepts(start, joint, 1).empty());
  EXPECT_TRUE(reference.goals(start, 1).empty());
  const Reference::State later = reference.next_state(start, joint);
  EXPECT_EQ(reference.percepts(later, joint, 0).size(), 1u);
}

TEST(Reference, ReportsAllGoalValuesAndEmptyGoals) {
  Reference reference = engine(
      "(role a) (role b) (init i) (legal a x) (legal b x) (goal a 50) (goal a 5) (goal a 100)"
      "(<= terminal (true i))");
  const Reference::State state = reference.initial_state();
  EXPECT_EQ(reference.goals(state, 0), (std::vector<int>{5, 50, 100}));
  EXPECT_TRUE(reference.goals(state, 1).empty());
  EXPECT_TRUE(reference.terminal(state));
}

TEST(Reference, AgreesWithTheDefinitionOnRandomGames) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const auto rulesheet = testing::rulesheet(testing::random_game(seed));
    const std::vector<gdl::Diagnostic> diagnostics = gdl::check_validity(*rulesheet);
    ASSERT_FALSE(gdl::has_errors(diagnostics)) << rulesheet->source->text();
    testing::NaiveModel naive(rulesheet);
    auto reference = Reference::make(rulesheet);
    ASSERT_TRUE(reference.has_value());
    const auto comparison = testing::compare_engines(naive, *reference, {.games = 3, .seed = seed});
    EXPECT_FALSE(comparison.difference.has_value())
        << "seed " << seed << ": " << *comparison.difference << "\n"
        << rulesheet->source->text();
    EXPECT_EQ(comparison.games, 3u);
  }
}

}  // namespace
}  // namespace zermelo::reference
