#include "analysis/dynamic_conditions.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/step_bound.h"
#include "ground/ground.h"
#include "support/load.h"

namespace zermelo::analysis {
namespace {

std::shared_ptr<const machine::Machine> machine_for(const std::string& text) {
  auto game = ground::ground(testing::rulesheet(text));
  EXPECT_TRUE(game.has_value());
  return std::make_shared<const machine::Machine>(std::move(*game));
}

DynamicConditions check(const std::string& text, const ConditionOptions& options = {}) {
  return check_dynamic_conditions(machine_for(text), options);
}

// Enumerates nothing beyond the first state.
ConditionOptions sampling() { return {.max_states = 0, .max_games = 50, .max_depth = 100}; }

std::string chain(int length) {
  std::string facts;
  for (int i = 0; i < length; ++i) {
    facts += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return facts;
}

// Players set bits in turn for `steps` moves; the first player wins if the last bit is set.
std::string bits(int steps, const std::string& more = "") {
  const std::string last = std::to_string(steps);
  return "(role a) (role b) (init (step 0)) (init (control a)) (bit 0) (bit 1)" + chain(steps) +
         "(<= (legal ?p (put ?x)) (true (control ?p)) (bit ?x))"
         "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
         "(<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))"
         "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
         "(<= (next (holds ?m ?x)) (true (step ?m)) (does ?p (put ?x)))"
         "(<= (next (holds ?m ?x)) (true (holds ?m ?x)))"
         "(<= terminal (true (step " +
         last +
         ")))"
         "(<= set (true (holds " +
         std::to_string(steps - 1) +
         " 1)))"
         "(<= (goal a 100) set) (<= (goal a 0) (not set))"
         "(<= (goal b 0) set) (<= (goal b 100) (not set))" +
         more;
}

TEST(DynamicConditions, ProvesAWellFormedGameByEnumeration) {
  const DynamicConditions found = check(bits(4));
  for (const Finding* finding : {&found.has_moves, &found.ends, &found.unique_goals,
                                 &found.turn_taking, &found.constant_sum}) {
    EXPECT_EQ(finding->evidence, Evidence::proved) << finding->reason;
  }
  EXPECT_EQ(found.longest_game, 4u);
  EXPECT_EQ(found.states, 31u);
  EXPECT_EQ(found.terminal_states, 16u);
  EXPECT_EQ(found.goal_sum, 100);
}

TEST(DynamicConditions, ProvesTheEndOfALargeGameByItsStepCounter) {
  ConditionOptions options = sampling();
  const DynamicConditions found = check(bits(60), options);
  EXPECT_EQ(found.ends.evidence, Evidence::proved);
  EXPECT_EQ(found.longest_game, 60u);
  EXPECT_EQ(found.has_moves.evidence, Evidence::sampled);
  EXPECT_EQ(found.unique_goals.evidence, Evidence::sampled);
  EXPECT_FALSE(found.states.has_value());
}

TEST(DynamicConditions, RefutesLegalMovesWithAShortestLine) {
  const std::string stuck =
      "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
      "(<= (legal r wait) (true (at ?n)) (distinct ?n 2)) (<= (legal r jump) (true (at 0)))"
      "(<= (next (at ?m)) (does r wait) (true (at ?n)) (succ ?n ?m)) (<= (next (at 2)) (does r "
      "jump))"
      "(<= terminal (true (at 3))) (goal r 100)";
  const DynamicConditions found = check(stuck);
  EXPECT_EQ(found.has_moves.evidence, Evidence::refuted);
  EXPECT_EQ(found.has_moves.line, (Line{{"jump"}}));
  EXPECT_EQ(found.ends.evidence, Evidence::refuted);
}

const std::string walk =
    "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(<= (legal r up) (true (at ?n))) (<= (legal r down) (true (at ?n)) (succ 1 ?n))"
    "(<= (next (at ?m)) (does r up) (true (at ?n)) (succ ?n ?m))"
    "(<= (next (at ?m)) (does r down) (true (at ?n)) (succ ?m ?n))"
    "(<= terminal (true (at 3))) (<= (goal r 100) (true (at 3)))";

TEST(DynamicConditions, RefutesTheEndByACycle) {
  for (const ConditionOptions& options : {ConditionOptions{}, sampling()}) {
    const DynamicConditions found = check(walk, options);
    EXPECT_EQ(found.ends.evidence, Evidence::refuted);
    ASSERT_GE(found.ends.line.size(), 3u);
    EXPECT_EQ(found.ends.line[2], (std::vector<std::string>{"down"}));
    EXPECT_EQ(found.ends.line.size(), 3u);
    EXPECT_FALSE(found.longest_game.has_value());
  }
}

TEST(DynamicConditions, RefutesTheEndByAStateThatIsItsOwnSuccessor) {
  const DynamicConditions found = check(
      "(role r) (init a) (legal r stay) (<= (next a) (true a)) (<= terminal (not (true a))) (goal "
      "r 1)");
  EXPECT_EQ(found.ends.evidence, Evidence::refuted);
  EXPECT_EQ(found.ends.line, (Line{{"stay"}}));
}

TEST(DynamicConditions, RefutesGoals) {
  for (const ConditionOptions& options : {ConditionOptions{}, sampling()}) {
    const DynamicConditions several = check(bits(2, "(<= (goal b 50) set)"), options);
    EXPECT_EQ(several.unique_goals.evidence, Evidence::refuted);
    EXPECT_EQ(several.unique_goals.line.size(), 2u);
    EXPECT_EQ(several.unique_goals.line.back().back(), "(put 1)");
    EXPECT_EQ(several.constant_sum.evidence, Evidence::refuted);
    EXPECT_FALSE(several.goal_sum.has_value());
  }
}

TEST(DynamicConditions, RefutesAConstantSum) {
  const DynamicConditions found = check(
      "(role a) (role b) (init s) (legal a x) (legal a y) (legal b z)"
      "(<= (next won) (does a x)) (<= (next lost) (does a y)) (<= terminal (not (true s)))"
      "(<= (goal a 100) (true won)) (<= (goal a 0) (not (true won))) (goal b 10)");
  EXPECT_EQ(found.constant_sum.evidence, Evidence::refuted);
  EXPECT_EQ(found.constant_sum.line.size(), 1u);
  EXPECT_EQ(found.unique_goals.evidence, Evidence::proved);
}

TEST(DynamicConditions, RefutesTurnTaking) {
  const DynamicConditions found = check(
      "(role a) (role b) (init s) (<= (legal ?r ?m) (role ?r) (move ?m)) (move x) (move y)"
      "(<= (next t) (does a x)) (<= terminal (not (true s))) (goal a 1) (goal b 1)");
  EXPECT_EQ(found.turn_taking.evidence, Evidence::refuted);
  EXPECT_TRUE(found.turn_taking.line.empty());
  EXPECT_EQ(found.ends.evidence, Evidence::proved);
}

TEST(DynamicConditions, SamplesAnUngroundedGame) {
  auto reference = std::move(*reference::Reference::make(testing::rulesheet(bits(60))));
  const DynamicConditions found = check_dynamic_conditions(reference, sampling());
  EXPECT_EQ(found.has_moves.evidence, Evidence::sampled);
  EXPECT_EQ(found.ends.evidence, Evidence::sampled);
  EXPECT_EQ(found.goal_sum, 100);
}

TEST(DynamicConditions, ReportsThatSampledGamesDoNotEnd) {
  ConditionOptions options = sampling();
  options.max_depth = 20;
  auto reference = std::move(*reference::Reference::make(testing::rulesheet(bits(60))));
  const DynamicConditions found = check_dynamic_conditions(reference, options);
  EXPECT_EQ(found.ends.evidence, Evidence::sampled);
  EXPECT_EQ(found.ends.reason, "50 of 50 random games had not ended after 20 joint moves");
}

std::optional<std::size_t> bound(const std::string& text) {
  return prove_step_bound(machine_for(text)->game(), 1000, {});
}

TEST(StepBound, FollowsACounterThatRequiresAnyMove) {
  EXPECT_EQ(bound("(role r) (init (step 0)) (init (at 0))" + chain(7) +
                  "(<= (legal r (go ?n)) (succ ?m ?n)) (<= (next (at ?n)) (does r (go ?n)))"
                  "(<= (next (step ?n)) (does r (go ?any)) (true (step ?m)) (succ ?m ?n))"
                  "(<= terminal (true (step 7))) (goal r 100)"),
            7u);
}

TEST(StepBound, DoesNotCountWhatAMoveCanPrevent) {
  EXPECT_EQ(bound("(role r) (init (step 0))" + chain(7) +
                  "(legal r wait) (legal r go) (<= (next (step ?n)) (does r wait) (true (step ?n)))"
                  "(<= (next (step ?n)) (does r go) (true (step ?m)) (succ ?m ?n))"
                  "(<= terminal (true (step 7))) (goal r 100)"),
            std::nullopt);
}

TEST(StepBound, UsesTheNegationOfTheAutonomousPart) {
  EXPECT_EQ(bound("(role r) (init a) (legal r x) (legal r y) (<= (next b) (does r x))"
                  "(<= terminal (not (true a))) (goal r 100)"),
            1u);
}

// With 40 roles there are 2^40 joint moves in a state.
TEST(DynamicConditions, DoNotTryTooManyJointMoves) {
  std::string rules = "(init (step 0)) (<= terminal (true (step 2)))" + chain(2) +
                      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
                      "(<= (next (chose ?r ?m)) (does ?r ?m)) (<= (goal ?r 50) (role ?r))"
                      "(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))";
  for (int i = 0; i < 40; ++i) rules += "(role r" + std::to_string(i) + ")";
  const DynamicConditions conditions = check(rules);
  EXPECT_FALSE(conditions.states);
  EXPECT_EQ(conditions.max_joint_moves, 1'099'511'627'776.0);
  EXPECT_EQ(conditions.unique_goals.evidence, Evidence::sampled);
  EXPECT_NE(conditions.unique_goals.reason.find("1.09951e+12 joint moves in one state"),
            std::string::npos)
      << conditions.unique_goals.reason;
  EXPECT_EQ(conditions.ends.evidence, Evidence::proved);
  EXPECT_EQ(conditions.turn_taking.evidence, Evidence::refuted);
}

// Within the joint moves of one state, too.
TEST(DynamicConditions, ReactToCancellation) {
  ConditionOptions options{.seconds = std::chrono::hours(1)};
  int asked = 0;
  options.limits.end_when([&] { return ++asked > 3; });
  options.max_joint_moves = ~std::uint64_t{0};
  std::string rules = "(legal r0 a) (goal r0 50) (init x) (<= (next x) (true x)) (<= terminal y)";
  for (int i = 0; i < 40; ++i) {
    const std::string role = "r" + std::to_string(i);
    rules += "(role " + role + ") (legal " + role + " a) (legal " + role + " b)";
  }
  const DynamicConditions conditions = check(rules, options);
  EXPECT_FALSE(conditions.states);
  EXPECT_LT(asked, 20);
}

}  // namespace
}  // namespace zermelo::analysis
