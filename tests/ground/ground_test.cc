#include "ground/ground.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

#include "support/load.h"
#include "support/processor_time.h"

namespace zermelo::ground {
namespace {

// A game with the given rules: one role, one move, terminal at the start.
std::string with_frame(const std::string& rules) {
  return "(role r) (init (now 1)) (<= (legal r wait)) (<= terminal (true (now 2)))\n"
         "(<= (goal r 100) (true (now 2))) (<= (next (now 2)) (true (now 1)))\n" +
         rules;
}

Game ground_text(const std::string& rules) {
  auto game = ground(testing::rulesheet(rules));
  if (!game) throw std::runtime_error(game.error().message);
  return std::move(*game);
}

std::vector<std::string> fluent_names(const Game& game) {
  std::vector<std::string> names;
  for (Atom f = 0; f < game.fluents.size(); ++f) names.push_back(game.fluent_name(f));
  return names;
}

std::vector<std::string> move_names(const Game& game) {
  std::vector<std::string> names;
  for (std::uint32_t m = 0; m < game.moves.size(); ++m) names.push_back(game.move_name(m));
  return names;
}

using Names = std::vector<std::string>;

TEST(Ground, FindsOnlyFluentsThatCanBecomeTrue) {
  const Game game =
      ground_text(with_frame("(succ 1 2) (succ 2 3) (init (step 1)) (unused 7)\n"
                             "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"));
  EXPECT_EQ(fluent_names(game), (Names{"(now 1)", "(now 2)", "(step 1)", "(step 2)", "(step 3)"}));
}

TEST(Ground, AtomsAreNumberedAsDocumented) {
  const Game game =
      ground_text(with_frame("(<= (next (p ?x)) (does r (set ?x)))\n"
                             "(<= (legal r (set ?x)) (value ?x)) (value 1) (value 2)"));
  ASSERT_EQ(game.moves.size(), 3u);
  EXPECT_EQ(game.first_derived, game.fluents.size() + game.moves.size());
  for (Atom atom = game.first_derived; atom < game.atoms; ++atom) {
    for (RuleIndex rule = game.rules_begin(atom); rule < game.rules_end(atom); ++rule) {
      for (const Literal literal : game.body(rule)) {
        EXPECT_LT(literal.atom(), atom);
        const bool is_move =
            literal.atom() >= game.fluents.size() && literal.atom() < game.first_derived;
        EXPECT_TRUE(!is_move || atom >= game.first_after_does);
      }
    }
  }
}

TEST(Ground, VariablesCanBeWholeFluentsAndMoves) {
  const Game game =
      ground_text(with_frame("(init (on a)) (init plain)\n"
                             "(<= (next ?f) (true ?f) (keep ?f)) (keep (on a)) (keep plain)\n"
                             "(<= (possible ?m) (option ?m)) (option (push a)) (option skip)\n"
                             "(<= (legal r ?m) (possible ?m))"));
  EXPECT_EQ(fluent_names(game), (Names{"(now 1)", "(now 2)", "(on a)", "plain"}));
  EXPECT_EQ(move_names(game), (Names{"(push a)", "skip", "wait"}));
}

TEST(Ground, TermsCanBeBuiltAndMatched) {
  const Game game =
      ground_text(with_frame("(init (stack (cons a (cons b nil))))\n"
                             "(<= (next (stack ?t)) (true (stack (cons ?h ?t))))"));
  EXPECT_EQ(fluent_names(game), (Names{"(now 1)", "(now 2)", "(stack (cons a (cons b nil)))",
                                       "(stack (cons b nil))", "(stack nil)"}));
}

TEST(Ground, NegatedDistinctIsAnEquality) {
  const Game game =
      ground_text(with_frame("(value 1) (value 2) (<= (next (same ?x ?y)) (value ?x) (value ?y)\n"
                             "(not (distinct ?x ?y)))"));
  EXPECT_EQ(fluent_names(game), (Names{"(now 1)", "(now 2)", "(same 1 1)", "(same 2 2)"}));
}

TEST(Ground, StaticNegationIsEvaluated) {
  const Game game =
      ground_text(with_frame("(value 1) (value 2) (bad 1)\n"
                             "(<= (next (good ?x)) (value ?x) (not (bad ?x)))"));
  EXPECT_EQ(fluent_names(game), (Names{"(good 2)", "(now 1)", "(now 2)"}));
}

TEST(Ground, LocallyStratifiedNegationIsResolvedPerAtom) {
  const Game game =
      ground_text(with_frame("(succ 1 2) (succ 2 3) (succ 3 4)\n"
                             "(<= (even ?y) (succ ?x ?y) (not (even ?x)))\n"
                             "(<= (next (seen ?x)) (even ?x))"));
  const auto holds_next = [&](const std::string& name) {
    const Names names = fluent_names(game);
    const auto place = std::find(names.begin(), names.end(), name);
    return place != names.end() &&
           game.next[static_cast<std::size_t>(place - names.begin())] != no_atom;
  };
  EXPECT_TRUE(holds_next("(seen 2)"));
  EXPECT_FALSE(holds_next("(seen 3)"));
  EXPECT_TRUE(holds_next("(seen 4)"));
}

TEST(Ground, RecursionOverTheStateIsAComponent) {
  const Game game = ground_text(
      with_frame("(edge a b) (edge b c) (edge c a) (init (open a b)) (init (open b c))\n"
                 "(init (open c a)) (<= (next (open ?x ?y)) (true (open ?x ?y)))\n"
                 "(<= (path ?x ?y) (edge ?x ?y) (true (open ?x ?y)))\n"
                 "(<= (path ?x ?z) (path ?x ?y) (path ?y ?z))\n"
                 "(<= (next won) (path a a))"));
  EXPECT_FALSE(game.recursive.empty());
}

TEST(Ground, ProjectionKeepsWideRulesSmall) {
  std::string rules =
      "(<= (next done) (true (a ?x1)) (true (a ?x2)) (true (a ?x3)) (true (a ?x4)) (ok ?x1 ?x2)\n"
      "(ok ?x2 ?x3) (ok ?x3 ?x4)) (<= (next (a ?x)) (true (a ?x)))\n";
  for (int i = 0; i < 30; ++i)
    rules += "(init (a " + std::to_string(i) + ")) (<= (ok ?x ?y) (num ?x) (num ?y)) (num " +
             std::to_string(i) + ")\n";
  EXPECT_LT(ground_text(with_frame(rules)).rules(), 30u * 30 * 4);
}

// Without a guard, the predicate far has 13 million atoms and exceeds the limit.
TEST(Ground, DemandRestrictsNegatedPredicates) {
  std::string rules =
      "(<= (far ?a ?b ?c ?d) (true (at ?a ?b)) (num ?c) (num ?d) (distinct ?a ?c))\n"
      "(<= (next (at ?x ?y)) (true (at ?x ?y)) (not (far ?x ?y 1 2)))\n";
  for (int i = 0; i < 60; ++i) {
    rules += "(num " + std::to_string(i) + ")\n";
    for (int j = 0; j < 60; ++j) {
      rules += "(init (at " + std::to_string(i) + " " + std::to_string(j) + "))\n";
    }
  }
  const auto game =
      ground(testing::rulesheet(with_frame(rules)),
             {.limits = {std::nullopt, base::resident_bytes() + (std::size_t{100} << 20)}});
  ASSERT_TRUE(game) << game.error().message;
  EXPECT_EQ(game->fluents.size(), 3602u);
}

// Linear in the 100,000 conditions. A quadratic algorithm took five minutes.
TEST(Ground, LongConjunctionsTakeLinearTime) {
  std::string rule = "(a 1) (init (p 1)) (<= (next (p ?x)) (true (p ?x)) (or (a ?x) (b ?x))";
  for (int i = 0; i < 100'000; ++i) rule += "(a 1)";
  const base::Limits limits = testing::thread_time_limit(std::chrono::seconds(20));
  const auto game = ground(testing::rulesheet(with_frame(rule + ")")), {limits});
  ASSERT_TRUE(game);
  EXPECT_EQ(fluent_names(*game), (Names{"(now 1)", "(now 2)", "(p 1)"}));
}

TEST(Ground, LimitsAreErrorsThatNameARule) {
  std::string rules =
      "(<= (next (big ?a ?b ?c ?d ?e)) (num ?a) (num ?b) (num ?c) (num ?d) (num ?e))\n";
  for (int i = 0; i < 100; ++i) rules += "(num " + std::to_string(i) + ")\n";
  const auto sheet = testing::rulesheet(with_frame(rules));
  const auto late = ground(sheet, {.limits = {std::chrono::duration<double>(0.1), std::nullopt}});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().kind, base::ErrorKind::time_limit);
  EXPECT_NE(late.error().message.find(":3:1"), std::string::npos) << late.error().message;
  const auto large =
      ground(sheet, {.limits = {std::nullopt, base::resident_bytes() + (std::size_t{64} << 20)}});
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, base::ErrorKind::memory_limit);
}

// The last check of the limits comes when all instances are known and the game is put together.
TEST(Ground, TheLastPhaseRespectsLimits) {
  std::string rules =
      "(<= (init (p ?x)) (num ?x)) (<= (next (p ?x)) (true (p ?x)))"
      "(<= (next (big ?a ?b ?c)) (true (p ?a)) (true (p ?b)) (true (p ?c)))\n";
  for (int i = 0; i < 30; ++i) rules += "(num " + std::to_string(i) + ")\n";
  const auto sheet = testing::rulesheet(with_frame(rules));
  int checks = 0;
  base::Limits counting;
  counting.end_when([&] { return ++checks < 0; });
  ASSERT_TRUE(ground(sheet, {counting}));
  int left = checks;
  base::Limits limits;
  limits.end_when([&] { return --left == 0; });
  const auto stopped = ground(sheet, {limits});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, base::ErrorKind::time_limit);
  EXPECT_EQ(stopped.error().message, "time limit reached while grounding");
}

TEST(Ground, TheRoleRandomHasMovesAndNoGoals) {
  const auto game = ground(testing::rulesheet(with_frame("(role random) (<= (legal random x))")));
  ASSERT_TRUE(game) << game.error().message;
  const auto random = static_cast<std::uint32_t>(game->roles.size() - 1);
  ASSERT_TRUE(game->is_random(random));
  EXPECT_TRUE(game->goals[random].empty());
  EXPECT_TRUE(std::any_of(game->moves.begin(), game->moves.end(),
                          [&](const auto& move) { return move.role == random; }));
}

// Sizes on which gringo and other engines agree, for well-known files if they are available.
TEST(Ground, SizesOfKnownGames) {
  const std::filesystem::path folder =
      std::filesystem::path(ZERMELO_ROOT) / "../shared/games/games";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no collection of games at " << folder;
  struct Known {
    const char* file;
    std::size_t fluents, moves;
  };
  for (const Known& known :
       {Known{"breakthrough.kif", 130, 310}, Known{"reversi.kif", 130, 130},
        Known{"checkers__v1.kif", 413, 1280}, Known{"chess_200.kif", 953, 7666}}) {
    const auto game = ground(testing::rulesheet_file((folder / known.file).string()));
    ASSERT_TRUE(game) << known.file;
    EXPECT_EQ(game->fluents.size(), known.fluents) << known.file;
    EXPECT_EQ(game->moves.size(), known.moves) << known.file;
  }
}

}  // namespace
}  // namespace zermelo::ground
