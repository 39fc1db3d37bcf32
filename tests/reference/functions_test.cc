// Computed functions in the reference engine. The twin of arithmetic by functions is arithmetic by
// rules.
#include <gtest/gtest.h>

#include "gdl/read_rules.h"
#include "reference/reference.h"
#include "support/compare_engines.h"
#include "support/load.h"

namespace zermelo::reference {
namespace {

Reference valid_engine(const std::string& rules) {
  const auto source = std::make_shared<const base::Source>("test.kif", rules);
  const auto checked = gdl::read_rules(source);
  if (!checked) throw std::runtime_error(checked.error().message);
  return Reference::make(*checked).value();
}

TEST(Functions, FarmerIsTheGameThatRulesForNumbersDescribe) {
  Reference computed = Reference::make(testing::shipped_rules("numbers/farmer")).value();
  Reference derived = Reference::make(testing::shipped_rules("numbers/farmer_by_rules")).value();
  const auto comparison = testing::compare_engines(computed, derived, {.games = 8});
  EXPECT_FALSE(comparison.difference) << *comparison.difference;
  EXPECT_EQ(comparison.games, 8u);
  EXPECT_GT(comparison.states, 80u);
}

// The values of `shown` after one step.
std::vector<std::string> shown(const std::string& condition) {
  Reference game = valid_engine(R"(
    (include arithmetic builtin:arithmetic)
    (use arithmetic (add ?a ?b ?c)) (use arithmetic (subtract ?a ?b ?c))
    (use arithmetic (multiply ?a ?b ?c)) (use arithmetic (divide ?a ?b ?c))
    (use arithmetic (power ?a ?b ?c)) (use arithmetic (minimum ?a ?b ?c))
    (use arithmetic (maximum ?a ?b ?c)) (use arithmetic (less ?a ?b))
    (use arithmetic (greater ?a ?b))
    (role player) (legal player go) (init (number 4)) (init (number 10)) (init (number red))
    (<= terminal (not (true (number 4)))) (goal player 0)
    (<= (next (shown ?x)) )" + condition +
                                ")");
  const auto state = game.initial_state();
  return game.fluent_names(game.next_state(state, game.legal_moves(state, 0)));
}

TEST(Functions, AreComputedForAllInputs) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(shown("(true (number ?n)) (add ?n 0.5 ?x)"), (Names{"(shown 10.5)", "(shown 4.5)"}));
  EXPECT_EQ(shown("(true (number ?n)) (subtract 4 ?n ?x)"), (Names{"(shown -6)", "(shown 0)"}));
  EXPECT_EQ(shown("(true (number ?n)) (multiply ?n 1.1 ?x)"), (Names{"(shown 11)", "(shown 4.4)"}));
  EXPECT_EQ(shown("(true (number ?n)) (divide 10 ?n ?x)"), (Names{"(shown 1)", "(shown 2.5)"}));
  EXPECT_EQ(shown("(true (number ?n)) (divide ?n 0 ?x)"), Names());
  EXPECT_EQ(shown("(true (number ?n)) (power ?n 2 ?x)"), (Names{"(shown 100)", "(shown 16)"}));
  EXPECT_EQ(shown("(true (number ?n)) (minimum ?n 5 ?x)"), (Names{"(shown 4)", "(shown 5)"}));
  EXPECT_EQ(shown("(true (number ?n)) (maximum ?n 5 ?x)"), (Names{"(shown 10)", "(shown 5)"}));
}

TEST(Functions, TestsAndNegationsAreConditions) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(shown("(true (number ?x)) (less ?x 10)"), (Names{"(shown 4)"}));
  EXPECT_EQ(shown("(true (number ?x)) (greater ?x 4)"), (Names{"(shown 10)"}));
  // A condition about something that is not a number does not hold, so its negation does.
  EXPECT_EQ(shown("(true (number ?x)) (not (less ?x 10))"), (Names{"(shown 10)", "(shown red)"}));
  EXPECT_EQ(shown("(true (number ?x)) (not (add ?x 6 10))"), (Names{"(shown 10)", "(shown red)"}));
}

TEST(Functions, ResultsMustMatchWhatIsKnown) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(shown("(true (number ?x)) (true (number ?y)) (add ?x 6 ?y)"), (Names{"(shown 4)"}));
  EXPECT_EQ(shown("(add ?m 1 ?x) (add ?n 1 ?m) (true (number ?n))"),
            (Names{"(shown 12)", "(shown 6)"}));
}

TEST(Functions, PlayCoalitionFarmerWithRewardsFromGold) {
  Reference game = Reference::make(testing::shipped_rules("numbers/coalition_farmer")).value();
  auto state = game.initial_state();
  std::vector<std::string> fluents;
  while (!game.terminal(state)) {  // everybody waits
    std::vector<base::Move> joint;
    for (std::size_t role = 0; role < 3; ++role)
      joint.push_back(game.legal_moves(state, role).back());
    state = game.next_state(state, joint);
  }
  fluents = game.fluent_names(state);
  // 4 * 1.1^10, rounded to nine digits in the tenth step.
  EXPECT_NE(std::find(fluents.begin(), fluents.end(), "(price wheat 10.37496984)"), fluents.end());
  for (std::size_t role = 0; role < 3; ++role) EXPECT_EQ(game.goals(state, role), std::vector{25});
}

}  // namespace
}  // namespace zermelo::reference
