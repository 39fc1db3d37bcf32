// Single properties of planning tasks: what the translations must handle, refuse and name, and the
// way back from plans to moves.
#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/pddl_interpreter.h"
#include "support/sas_interpreter.h"
#include "translate/pddl/faithful.h"
#include "translate/pddl/ground.h"
#include "translate/plan_reader.h"
#include "translate/plan_replay.h"
#include "translate/planning_names.h"
#include "translate/planning_twins.h"
#include "translate/sas/direct.h"
#include "translate/sas/output.h"

namespace zermelo::translate {
namespace {

using RulesheetPointer = std::shared_ptr<const gdl::Rulesheet>;
using testing::PddlInterpreter;
using testing::PlanningStyle;
using testing::SasInterpreter;

sas::Task task_of(const RulesheetPointer& rulesheet, const sas::DirectOptions& options = {}) {
  return sas::to_task(ground::ground(rulesheet).value(), options).value();
}

void expect_same_in_all_styles(const std::string& text) {
  for (const PlanningStyle style :
       {PlanningStyle::faithful, PlanningStyle::ground_pddl, PlanningStyle::sas}) {
    const auto comparison = testing::compare_planning(testing::rulesheet(text), style, {});
    EXPECT_EQ(comparison.refused.value_or(""), "");
    EXPECT_EQ(comparison.difference.value_or(""), "");
    EXPECT_EQ(comparison.playouts, 5u);
  }
}

// A shortest plan, as Fast Downward writes it.
std::string plan_for(const SasInterpreter& task) {
  std::map<SasInterpreter::State, std::pair<SasInterpreter::State, std::size_t>> from;
  std::deque<SasInterpreter::State> open{task.initial_state()};
  from[open[0]] = {};
  while (!task.is_goal(open.front())) {
    const SasInterpreter::State state = open.front();
    open.pop_front();
    for (std::size_t op = 0; op < task.operators(); ++op) {
      if (!task.is_applicable(state, op)) continue;
      const SasInterpreter::State next = task.apply(state, op);
      if (from.emplace(next, std::pair(state, op)).second) open.push_back(next);
    }
    if (open.empty()) return "no plan";
  }
  std::string plan = "; cost = 0 (general cost)\n";
  for (SasInterpreter::State state = open.front(); state != task.initial_state();) {
    const auto& [before, op] = from[state];
    plan = "(" + task.name(op) + ")\n" + plan;
    state = before;
  }
  return plan;
}

base::Result<int> replay(const RulesheetPointer& rulesheet, const std::string& plan,
                         const Glossary& glossary) {
  const auto moves = read_plan(base::Source("sas_plan", plan), glossary);
  if (!moves) return tl::unexpected(moves.error());
  machine::Stepper game(
      std::make_shared<const machine::Machine>(ground::ground(rulesheet).value()));
  return replay_plan(game, *moves, rulesheet->symbols);
}

TEST(PddlNames, AreLegalAndUnique) {
  pddl::Names names;
  EXPECT_EQ(names.unique("cell"), "cell");
  EXPECT_EQ(names.unique("CELL"), "cell-2");
  EXPECT_EQ(names.unique("a+b"), "a_b");
  EXPECT_EQ(names.unique("a>b"), "a_b-2");
  EXPECT_EQ(names.unique("8"), "x8");
  EXPECT_EQ(names.unique("and"), "and-2");
}

// Constants as fluents and moves, function terms in fluents, moves and predicates, variables for
// whole moves and fluents, constants and repeated variables in heads, goals in bodies, names that
// PDDL does not have or uses itself.
TEST(PlanningTasks, TakeAllThatTheLanguageHas) {
  expect_same_in_all_styles(R"(
    (role 1+1) (init off) (init (at (place a 1))) (init (count 0)) (kept off) (kept on)
    (wall (place a 3)) (next_to (place a 1) (place a 2)) (next_to (place a 2) (place a 3))
    (next_to (place a 2) (place b 2)) (next_to (place c% 2) (place b 2))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (option (press on)) (option wait)
    (<= (joined ?x ?x) (true (at ?x)))
    (<= (joined (place a 1) ?y) (next_to (place a 1) ?y))
    (<= (joined ?x ?y) (next_to ?x ?y) (not (wall ?y)))
    (<= (legal 1+1 (go ?y)) (true (at ?x)) (joined ?x ?y) (distinct ?x ?y))
    (<= (legal 1+1 ?m) (option ?m))
    (<= (next (at ?y)) (does 1+1 (go ?y)))
    (<= (next (at ?x)) (true (at ?x)) (not moved))
    (<= moved (does 1+1 (go ?y)))
    (<= (next on) (does 1+1 (press ?what)))
    (<= (next ?f) (true ?f) (kept ?f) (not (does 1+1 (press on))))
    (<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
    (<= solved (goal 1+1 100))
    (<= terminal solved)
    (<= terminal (true (count 4)))
    (<= (goal 1+1 100) (true on) (true (at (place b ?i))))
    (<= (goal 1+1 40) (true off) (true (at (place b ?i))))
    (<= (goal 1+1 0) (true (at (place a ?i)))))");
}

// s(s(z)) contains itself, so it cannot be taken apart into columns.
TEST(PlanningTasks, TakeTermsThatNestInThemselves) {
  expect_same_in_all_styles(R"(
    (role p) (init (pile z)) (init (step z))
    (most z) (most (s z)) (most (s (s z))) (most (s (s (s z))))
    (<= (legal p add) (true (pile ?n)) (most (s ?n)))
    (legal p keep)
    (<= (next (pile (s ?n))) (true (pile ?n)) (does p add) (most (s ?n)))
    (<= (next (pile ?n)) (true (pile ?n)) (does p keep))
    (<= (next (step (s ?n))) (true (step ?n)) (most (s ?n)))
    (<= terminal (true (step (s (s (s z))))))
    (<= (goal p 100) (true (pile (s (s ?n)))))
    (<= (goal p 0) (true (pile z)))
    (<= (goal p 30) (true (pile (s z)))))");
}

// goal depends on its own negation, but no goal value on itself.
TEST(PlanningTasks, TakeGoalsThatDependOnOtherGoals) {
  expect_same_in_all_styles(
      "(role p) (init a) (legal p on) (legal p stay) (init (step 0)) (succ 0 1) (succ 1 2)"
      "(<= (next b) (does p on)) (<= (next b) (true b)) (<= (next a) (true a))"
      "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 2)))"
      "(<= (goal p 100) (true b)) (<= (goal p 0) (not (goal p 100)))");
}

// PDDL has fewer characters in its names, and the direct translation joins names by hyphens.
TEST(PlanningTasks, KeepNamesApartThatClashAfterRenaming) {
  expect_same_in_all_styles(
      "(role p) (init (at a)) (init at-b) (init (step 0)) (succ 0 1) (succ 1 2)"
      "(legal p (go b)) (legal p go-b) (legal p go+b) (legal p go>b)"
      "(<= (next (at b)) (does p (go b))) (<= (next at-b) (does p go-b))"
      "(<= (next at+b) (does p go+b)) (<= (next at>b) (does p go>b))"
      "(<= (next (at a)) (true at>b)) (<= (next terminal-2) (true (at b)))"
      "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 2)))"
      "(<= (goal p 100) (true at+b)) (<= (goal p 50) (true at-b)) (<= (goal p 30) (true at>b))"
      "(<= (goal p 10) (true (at b)))");
}

TEST(PlanningTasks, RefuseGamesOfSeveralRoles) {
  const RulesheetPointer rulesheet = testing::shipped_rules("tic_tac_toe");
  const auto faithful = pddl::to_faithful_pddl(rulesheet);
  const auto direct = sas::to_task(ground::ground(rulesheet).value());
  ASSERT_FALSE(faithful);
  ASSERT_FALSE(direct);
  for (const base::Error& error : {faithful.error(), direct.error()}) {
    EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
    EXPECT_EQ(error.message, "planning needs a game of one role; this one has 2: 8:1 declares o");
  }
}

TEST(PlanningTasks, RefuseGamesWithoutARewardAboveZero) {
  const auto rulesheet = testing::rulesheet(
      "(role p) (init a) (legal p m) (<= (next b) (does p m)) (<= terminal (true b))"
      "(<= (goal p 0) (true b))");
  const auto faithful = pddl::to_faithful_pddl(rulesheet);
  const auto direct = sas::to_task(ground::ground(rulesheet).value());
  ASSERT_FALSE(faithful);
  ASSERT_FALSE(direct);
  EXPECT_EQ(faithful.error().kind, base::ErrorKind::not_applicable);
  EXPECT_EQ(direct.error().message, faithful.error().message);
}

// Between eval and resume-play no current- atom holds, and with them no lamp is on.
TEST(FaithfulTranslation, NeedsPlayInItsGoal) {
  for (const Aim aim : {Aim::rewards, Aim::maximum}) {
    const auto text =
        pddl::to_faithful_pddl(testing::shipped_rules("lights_out"), {.aim = aim}).value();
    PddlInterpreter task(text.domain, text.problem);
    PddlInterpreter::State state = task.initial_state();
    state = task.apply(state, task.applicable(state)[0]);
    state = task.apply(state, task.applicable(state)[0]);
    EXPECT_FALSE(task.derived_atoms(state, "terminal").empty());
    EXPECT_FALSE(task.derived_atoms(state, "goal").empty());
    EXPECT_FALSE(task.is_goal(state));
    ASSERT_EQ(task.applicable(state).size(), 1u);
    EXPECT_EQ(task.action_name(task.applicable(state)[0]), "resume-play");
  }
}

TEST(FaithfulTranslation, StatesTheRole) {
  const auto text = pddl::to_faithful_pddl(testing::shipped_rules("blocks_world")).value();
  const PddlInterpreter task(text.domain, text.problem);
  std::vector<std::string> roles;
  for (const PddlInterpreter::Atom& atom : task.initial_state()) {
    if (task.names(atom)[0] == "role") roles.push_back(task.names(atom)[1]);
  }
  EXPECT_EQ(roles, std::vector<std::string>{"obj-player"});
}

TEST(FaithfulTranslation, NamesAreThoseOfThePaper) {
  const auto text = pddl::to_faithful_pddl(testing::shipped_rules("blocks_world")).value();
  for (const char* part : {"(:derived (next-on ?v0 ?v1)", "(:derived (legal-move ?v",
                           "(:action move\n   :parameters (?v0 ?v1)\n   :precondition (and (play) "
                           "(not (terminal)) (legal-move obj-player ?v0 ?v1))\n   :effect (and "
                           "(does-move obj-player ?v0 ?v1) (not (play)) (eval)))",
                           "(when (temp-on ?v0 ?v1) (and (current-on ?v0 ?v1) (not (temp-on "
                           "?v0 ?v1))))"}) {
    EXPECT_NE(text.domain.find(part), std::string::npos) << part;
  }
}

TEST(DirectTranslation, HasAVariablePerMutexGroup) {
  const sas::Task task = task_of(testing::shipped_rules("towers_of_hanoi"));
  std::size_t max_values = 0;
  for (const sas::Variable& variable : task.variables)
    max_values = std::max(max_values, variable.values.size());
  EXPECT_GT(max_values, 2u);
  const sas::Task single =
      task_of(testing::shipped_rules("towers_of_hanoi"), {.use_groups = false});
  EXPECT_GT(single.variables.size(), task.variables.size());
}

TEST(DirectTranslation, LeavesOutLowRewards) {
  for (const sas::Operator& made : task_of(testing::shipped_rules("blocks_world")).operators)
    EXPECT_TRUE(made.move || made.cost < 100) << made.name;
}

TEST(DirectTranslation, UnitCostCountsMoves) {
  for (const sas::Operator& made :
       task_of(testing::shipped_rules("buttons"), {.unit_cost = true}).operators)
    EXPECT_TRUE(!made.move || made.cost == 1) << made.name;
}

TEST(DirectTranslation, MaximumIsAConditionOfTheLastState) {
  const sas::Task task = task_of(testing::shipped_rules("blocks_world"), {.aim = Aim::maximum});
  EXPECT_EQ(task.goal.size(), 4u);
  EXPECT_FALSE(task.uses_costs);
  for (const sas::Operator& made : task.operators) EXPECT_TRUE(made.move);
}

TEST(SasOutput, NamesFactsAsFastDownwardDoes) {
  const std::string text = sas::to_sas(task_of(testing::shipped_rules("blocks_world")));
  EXPECT_NE(text.find("\nAtom on(a, b)\n"), std::string::npos);
  EXPECT_NE(text.find("\nAtom step(0)\n"), std::string::npos);
  EXPECT_NE(text.find("\nAtom goal-reached\nNegatedAtom goal-reached\n"), std::string::npos);
}

TEST(Plans, ComeBackAsMovesAndReplay) {
  const RulesheetPointer rulesheet = testing::shipped_rules("blocks_world");
  for (const Aim aim : {Aim::rewards, Aim::maximum}) {
    const sas::Task task = task_of(rulesheet, {.aim = aim});
    const std::string plan = plan_for(SasInterpreter(sas::to_sas(task)));
    EXPECT_EQ(replay(rulesheet, plan, task.glossary), 100) << plan;
  }
}

TEST(Plans, OfTheFaithfulTranslationSkipItsOwnActions) {
  const RulesheetPointer rulesheet = testing::shipped_rules("blocks_world");
  const auto text = pddl::to_faithful_pddl(rulesheet).value();
  const auto moves = read_plan(base::Source("sas_plan",
                                            "(MOVE obj-a obj-table)\n(eval)\n\n"
                                            "(resume-play) ; as always\n"),
                               text.glossary);
  ASSERT_TRUE(moves);
  ASSERT_EQ(moves->size(), 1u);
  EXPECT_EQ(gdl::print((*moves)[0], rulesheet->symbols), "(move a table)");
}

TEST(Plans, ThatAreNotPlansAreRefusedWithTheirPlace) {
  const auto text = pddl::to_faithful_pddl(testing::shipped_rules("blocks_world")).value();
  const auto message = [&](const std::string& plan) {
    const auto moves = read_plan(base::Source("sas_plan", plan), text.glossary);
    return moves ? "read" : moves.error().message;
  };
  EXPECT_EQ(message("(eval)\n  (fly obj-a)\n"), "sas_plan:2:3: the task has no action fly");
  EXPECT_EQ(message("(move obj-a)"), "sas_plan:1:1: the action move takes 2 arguments, found 1");
  EXPECT_EQ(message("(move obj-a obj-z)"), "sas_plan:1:1: the task has no object obj-z");
  EXPECT_EQ(message("move obj-a"),
            "sas_plan:1:1: expected one action in parentheses, found \"move obj-a\"");
  EXPECT_EQ(message("(eval)(eval)"),
            "sas_plan:1:1: expected one action in parentheses, found \"(eval)(eval)\"");
  EXPECT_EQ(message("( )"), "sas_plan:1:1: expected the name of an action");
}

TEST(Plans, ThatTheGameDoesNotAllowSayWhere) {
  const RulesheetPointer rulesheet = testing::shipped_rules("blocks_world");
  const auto text = pddl::to_faithful_pddl(rulesheet).value();
  const auto message = [&](const std::string& plan) {
    const auto reward = replay(rulesheet, plan, text.glossary);
    return reward ? std::to_string(*reward) : reward.error().message;
  };
  EXPECT_EQ(message("(move obj-a obj-table)\n(move obj-d obj-table)"),
            "step 2: (move d table) is not legal");
  EXPECT_EQ(message("(move obj-a obj-table)"), "after all 1 steps the game is not over");
  std::string back_and_forth;
  for (int i = 0; i < 4; ++i) back_and_forth += "(move obj-a obj-table)\n(move obj-a obj-b)\n";
  EXPECT_EQ(message(back_and_forth), "0");
  EXPECT_EQ(message(back_and_forth + "(move obj-a obj-table)"),
            "step 9: (move a table) comes after the end of the game");
}

// Two lamps to switch on with one switch each, two steps to do it in.
std::string lamps(const std::string& limit) {
  return "(role p) (init (step 0)) (succ 0 1) (succ 1 2) (lamp a) (lamp b)"
         "(<= (legal p (press ?l)) (lamp ?l))"
         "(<= (next (on ?l)) (does p (press ?l)))"
         "(<= (next (on ?l)) (true (on ?l)))"
         "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
         "(<= all (true (on a)) (true (on b)))"
         "(<= terminal all) (<= (goal p 100) all) (<= (goal p 0) (not all))" +
         limit;
}

TEST(StepCounter, IsDroppedWhereItOnlyEndsTheGame) {
  const auto rulesheet = testing::rulesheet(lamps("(<= terminal (true (step 2)))"));
  const sas::Task task = task_of(rulesheet, {.drop_step_counter = true});
  EXPECT_EQ(task.step_counter.size(), 3u);
  EXPECT_EQ(sas::to_sas(task).find("step("), std::string::npos);
  EXPECT_EQ(replay(rulesheet, plan_for(SasInterpreter(sas::to_sas(task))), task.glossary), 100);
  EXPECT_TRUE(task_of(rulesheet).step_counter.empty());
}

TEST(StepCounter, StaysWhereTheRewardDependsOnIt) {
  const auto rulesheet =
      testing::rulesheet(lamps("(<= terminal (true (step 2))) (<= (goal p 50) (true (step 1)))"));
  EXPECT_TRUE(task_of(rulesheet, {.drop_step_counter = true}).step_counter.empty());
}

TEST(StepCounter, StaysWhereNothingElseEndsTheGame) {
  const auto rulesheet = testing::rulesheet(
      "(role p) (init (step 0)) (succ 0 1) (succ 1 2) (legal p m) (<= (next on) (does p m))"
      "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
      "(<= terminal (true (step 2))) (<= (goal p 100) (true on))");
  EXPECT_TRUE(task_of(rulesheet, {.drop_step_counter = true}).step_counter.empty());
}

// A lamp too many for the limit: the plan exists only without the counter, and does not replay.
TEST(StepCounter, APlanThatIsTooLongDoesNotReplay) {
  const auto rulesheet = testing::rulesheet(lamps("(<= terminal (true (step 1)))"));
  const sas::Task task = task_of(rulesheet, {.drop_step_counter = true});
  const std::string plan = plan_for(SasInterpreter(sas::to_sas(task)));
  const auto reward = replay(rulesheet, plan, task.glossary);
  ASSERT_FALSE(reward);
  EXPECT_NE(reward.error().message.find("comes after the end of the game"), std::string::npos);
  EXPECT_EQ(plan_for(SasInterpreter(sas::to_sas(task_of(rulesheet)))), "no plan");
}

}  // namespace
}  // namespace zermelo::translate
