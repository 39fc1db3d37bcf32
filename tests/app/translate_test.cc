#include "app/translate.h"

#include <gtest/gtest.h>

#include "app/app_fixture.h"
#include "app/json.h"
#include "app/solve.h"
#include "app/write_file.h"

namespace zermelo::app {
namespace {

using base::ErrorKind;

TEST(Translate, NamesItsFiles) {
  for (const TaskStyle style : {TaskStyle::faithful, TaskStyle::direct}) {
    const auto pddl =
        translate({.rules = shipped("maze"), .target = TargetLanguage::pddl, .style = style});
    ASSERT_TRUE(pddl) << pddl.error().message;
    ASSERT_EQ(pddl->size(), 2u);
    EXPECT_EQ((*pddl)[0].name, "domain.pddl");
    EXPECT_EQ((*pddl)[1].name, "problem.pddl");
    EXPECT_EQ((*pddl)[0].text.find("(define (domain"), 0u);
    EXPECT_EQ((*pddl)[1].text.find("(define (problem"), 0u);
  }
  const auto sas = translate({.rules = shipped("maze"), .target = TargetLanguage::sas});
  ASSERT_TRUE(sas) << sas.error().message;
  ASSERT_EQ(sas->size(), 1u);
  EXPECT_EQ((*sas)[0].text.find("begin_version\n3\n"), 0u);
  const auto cpp = translate({.rules = shipped("maze"), .target = TargetLanguage::cpp});
  ASSERT_TRUE(cpp) << cpp.error().message;
  EXPECT_NE((*cpp)[0].text.find("int main"), std::string::npos);
}

TEST(Translate, RefusesWrongOptionsAndGames) {
  const Rules maze = shipped("maze");
  const auto kind = [](const TranslateRequest& request, const Context& context = {}) {
    return translate(request, context).error().kind;
  };
  EXPECT_EQ(kind({.rules = maze, .target = TargetLanguage::sas, .style = TaskStyle::faithful}),
            ErrorKind::invalid_request);
  EXPECT_EQ(kind({.rules = maze, .style = TaskStyle::faithful, .drop_step_counter = true}),
            ErrorKind::invalid_request);
  EXPECT_EQ(kind({.rules = maze, .target = TargetLanguage::sas, .keep_derived = false}),
            ErrorKind::invalid_request);
  EXPECT_EQ(kind({.rules = shipped("nim"), .target = TargetLanguage::sas}),
            ErrorKind::not_applicable);
  EXPECT_EQ(kind({.rules = shipped("rock_paper_scissors"), .target = TargetLanguage::gddl}),
            ErrorKind::not_applicable);
  EXPECT_EQ(kind({.rules = shipped("three_player_tic_tac_toe"), .target = TargetLanguage::gddl}),
            ErrorKind::not_applicable);
  EXPECT_EQ(kind({.rules = maze, .target = TargetLanguage::gddl}, cancelled()),
            ErrorKind::time_limit);
}

Rules through_gddl(const Rules& rules, bool keep_derived) {
  const auto files =
      translate({.rules = rules, .target = TargetLanguage::gddl, .keep_derived = keep_derived});
  EXPECT_TRUE(files) << files.error().message;
  const TemporaryFolder folder;
  const std::string file = file_in(folder, "game.gddl");
  EXPECT_TRUE(write_file(file, files->at(0).text));
  const auto read = read_rules(file);
  EXPECT_TRUE(read) << read.error().message;
  return *read;
}

nlohmann::json solution_of(const Rules& rules) {
  const auto solution = solve({.rules = rules});
  EXPECT_TRUE(solution) << solution.error().message;
  return parsed(to_json(*solution));
}

// The number of states, that of each value, and the values of the start.
void expect_same_solution(const Rules& rules) {
  const auto original = solution_of(rules);
  for (const bool keep_derived : {true, false}) {
    const auto copy = solution_of(through_gddl(rules, keep_derived));
    for (const char* field : {"states", "values", "by_value"})
      EXPECT_EQ(copy[field], original[field]) << field;
  }
}

TEST(Translate, GddlReadBackHasTheSameSolution) {
  for (const char* name : {"tic_tac_toe", "blocks_world", "maze", "nim", "buttons"})
    expect_same_solution(shipped(name));
  expect_same_solution(generated("clobber", {"3", "4"}));
}

TEST(Translate, GddlIsRecognisedByContent) {
  const TemporaryFolder folder;
  const std::string file = file_in(folder, "game.kif");
  ASSERT_TRUE(write_file(file,
                         "; one switch\n(define (domain d) (:predicates (on))\n"
                         " (:action press :effect (on)))\n"
                         "(define (problem p) (:domain d) (:init) (:goal (on))\n"
                         " (:gain 100 (on)))\n"));
  const CheckedFile checked = check_file(file);
  ASSERT_TRUE(checked.rules) << checked.rules.error().message;
  EXPECT_TRUE(checked.rules->diagnostics.empty());
  const auto solution = solution_of(read_rules(file).value());
  EXPECT_EQ(solution["states"], "2");
  EXPECT_EQ(solution["values"][0], 100);
}

}  // namespace
}  // namespace zermelo::app
