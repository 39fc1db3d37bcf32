// Goals with features: the examples of the paper, and goals of generated games against the rules.
#include "eval/fuzzy_evaluator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/random_walk.h"
#include "eval/distance_evaluator.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::eval {
namespace {

using testing::MachinePointer;

std::shared_ptr<const FuzzyEvaluator> fuzzy(const MachinePointer& machine,
                                            const FuzzyOptions& options = {}) {
  return FuzzyEvaluator::make(machine, options).value();
}

std::size_t uses(const FuzzyEvaluator& evaluator, Feature feature) {
  return evaluator.uses()[index_of(feature)];
}

machine::State state_with(const machine::Machine& machine,
                          const std::vector<std::string>& fluents) {
  const auto by_name = machine.game().fluents_by_name();
  machine::State state(machine.game().fluents.size());
  for (const std::string& fluent : fluents) state.set(by_name.at(fluent));
  return state;
}

// How true the best goal of a role is.
double best_goal(const FuzzyEvaluator& evaluator, const MachinePointer& machine, std::size_t role,
                 const std::vector<std::string>& fluents) {
  return evaluator.degrees(state_with(*machine, fluents), role).back();
}

// Numbers from `first` to `last`, related by succ, as rules.
std::string numbers(int first, int last) {
  std::string text;
  for (int i = first; i < last; ++i) text += fmt::format("(succ {} {}) ", i, i + 1);
  return text;
}

// Section 3.1: the goal of checkers is to have more pieces.
std::string piece_counts(const std::string& goal) {
  return numbers(0, 12) + R"(
    (role white) (role black)
    (init (piece_count white 12)) (init (piece_count black 12)) (init (control white))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= (legal ?p ?m) (true (control ?p)) (kind ?m)) (kind take) (kind wait)
    (<= (legal ?p wait) (role ?p) (not (true (control ?p))))
    (other white black) (other black white)
    (<= (hit ?q) (other ?p ?q) (does ?p take))
    (<= (next (piece_count ?p ?m)) (hit ?p) (true (piece_count ?p ?n)) (succ ?m ?n))
    (<= (next (piece_count ?p ?n)) (true (piece_count ?p ?n)) (not (hit ?p)))
    (<= (greater ?a ?b) (succ ?b ?a))
    (<= (greater ?a ?c) (greater ?a ?b) (succ ?c ?b))
    (<= terminal (true (piece_count ?p 0)))
    (<= (goal white 0) (not (goal white 100)))
    (<= (goal black 0) (role black))
  )" + goal;
}

TEST(FuzzyEvaluator, MorePiecesOfCheckersAreAnOrder) {
  const MachinePointer machine = testing::from_text(piece_counts(R"(
    (<= (goal white 100) (true (piece_count white ?w)) (true (piece_count black ?b))
        (greater ?w ?b)))"));
  const auto evaluator = fuzzy(machine);
  EXPECT_GE(uses(*evaluator, Feature::order), 1u);
  const auto value = [&](int white, int black) {
    return best_goal(*evaluator, machine, 0,
                     {fmt::format("(piece_count white {})", white),
                      fmt::format("(piece_count black {})", black)});
  };
  EXPECT_NEAR(value(7, 7), 0.5, 1e-6);
  EXPECT_NEAR(value(9, 7), 0.5 + 2.0 / (2 * 13), 1e-6);  // 13 values: 0 to 12 pieces
  EXPECT_NEAR(value(12, 0), 0.5 + 12.0 / (2 * 13), 1e-6);
  EXPECT_GT(value(12, 2), value(12, 10));
  EXPECT_LT(value(3, 4), 0.5);
  FuzzyOptions without;
  without.features.reset(index_of(Feature::order));
  const auto handicapped = fuzzy(machine, without);
  EXPECT_EQ(uses(*handicapped, Feature::order), 0u);
}

// A fluent behind a predicate, a constant in the order, and a negated order.
TEST(FuzzyEvaluator, OrdersBehindPredicatesAndAgainstConstants) {
  const MachinePointer machine = testing::from_text(piece_counts(R"(
    (<= (has ?p ?n) (true (piece_count ?p ?n)))
    (<= (goal white 100) (has white ?w) (not (greater 6 ?w))))"));
  const auto evaluator = fuzzy(machine);
  EXPECT_GE(uses(*evaluator, Feature::order), 1u);
  EXPECT_NEAR(best_goal(*evaluator, machine, 0, {"(piece_count white 6)"}), 0.5, 1e-6);
  EXPECT_GT(best_goal(*evaluator, machine, 0, {"(piece_count white 9)"}),
            best_goal(*evaluator, machine, 0, {"(piece_count white 7)"}));
}

// A relation with a cycle is no order, and values of two fluents at once are not compared.
TEST(FuzzyEvaluator, WhatIsNoOrderIsNotUsedAsOne) {
  const MachinePointer cyclic = testing::from_text(R"(
    (role a) (init (hand a rock)) (init (hand b paper)) (legal a rock) (legal a paper)
    (legal a scissors) (<= (next (hand a ?x)) (does a ?x)) (<= (next (hand b ?x)) (true (hand b ?x)))
    (beats rock scissors) (beats scissors paper) (beats paper rock)
    (<= terminal (true (hand a scissors)))
    (<= (goal a 100) (true (hand a ?x)) (true (hand b ?y)) (beats ?x ?y)) (goal a 0))");
  EXPECT_EQ(uses(*fuzzy(cyclic), Feature::order), 0u);
  const MachinePointer several = testing::from_text(numbers(1, 4) + R"(
    (role a) (init (card 1)) (init (card 3)) (legal a wait)
    (<= (next (card ?x)) (true (card ?x)))
    (<= (less ?a ?b) (succ ?a ?b)) (<= (less ?a ?c) (less ?a ?b) (succ ?b ?c))
    (<= terminal (true (card 4)))
    (<= (goal a 100) (true (card ?x)) (less ?x 3)) (goal a 0))");
  EXPECT_EQ(uses(*fuzzy(several), Feature::order), 0u);
}

// Section 3.1: Pac-Man and a ghost on a board, where both can move in all directions.
std::string maze(const std::string& goal) {
  return numbers(1, 8) + R"(
    (role pacman) (role inky)
    (init (location pacman 2 2)) (init (location inky 8 8)) (init (step 1))
    (<= (nextcell north ?x ?y ?x ?z) (index ?x) (succ ?y ?z))
    (<= (nextcell south ?x ?y ?x ?z) (index ?x) (succ ?z ?y))
    (<= (nextcell east ?x ?y ?z ?y) (index ?y) (succ ?x ?z))
    (<= (nextcell west ?x ?y ?z ?y) (index ?y) (succ ?z ?x))
    (<= (index ?x) (succ ?x ?y)) (index 8)
    (<= (legal ?c (move ?d)) (true (location ?c ?x ?y)) (nextcell ?d ?x ?y ?v ?w))
    (<= (next (location ?c ?v ?w)) (does ?c (move ?d)) (true (location ?c ?x ?y))
        (nextcell ?d ?x ?y ?v ?w))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= terminal (true (step 8))) (<= (goal pacman 0) (role pacman))
  )" + goal;
}

TEST(FuzzyEvaluator, GhostsOfPacManApproach) {
  const MachinePointer machine = testing::from_text(maze(R"((goal inky 0)
    (<= (goal inky 100) (true (location pacman ?x ?y)) (true (location inky ?x ?y))))"));
  const auto evaluator = fuzzy(machine);
  EXPECT_EQ(uses(*evaluator, Feature::distance_between), 1u);
  const auto value = [&](const std::string& ghost) {
    return best_goal(*evaluator, machine, 1,
                     {"(location pacman 2 2)", "(location inky " + ghost + ")"});
  };
  EXPECT_NEAR(value("2 2"), 1, 1e-6);
  EXPECT_NEAR(value("3 2"), 1 - (1.0 / 8 + 0) / 2, 1e-6);  // 8 values of each argument
  EXPECT_NEAR(value("8 8"), 1 - (6.0 / 8 + 6.0 / 8) / 2, 1e-6);
  EXPECT_EQ(best_goal(*evaluator, machine, 1, {"(location pacman 2 2)"}), 0);
  FuzzyOptions without;
  without.features.reset(index_of(Feature::distance_between));
  const auto handicapped = fuzzy(machine, without);
  EXPECT_EQ(uses(*handicapped, Feature::distance_between), 0u);
  EXPECT_EQ(best_goal(*handicapped, machine, 1, {"(location pacman 2 2)", "(location inky 3 2)"}),
            best_goal(*handicapped, machine, 1, {"(location pacman 2 2)", "(location inky 8 8)"}));
}

// Section 3.2: a corner to reach, and a clock that only runs forwards.
TEST(FuzzyEvaluator, FixedPlacesAndTimes) {
  const MachinePointer machine = testing::from_text(maze(R"((goal pacman 50)
    (<= (goal pacman 100) (true (location pacman 8 8)))
    (<= (goal inky 100) (true (step 8))) (goal inky 0))"));
  const auto evaluator = fuzzy(machine);
  EXPECT_EQ(uses(*evaluator, Feature::number_distance), 2u);
  const auto place = [&](const std::string& cell) {
    return best_goal(*evaluator, machine, 0, {"(location pacman " + cell + ")"});
  };
  EXPECT_NEAR(place("8 8"), 0.9, 1e-6);
  EXPECT_NEAR(place("6 8"), 0.9 - 0.8 * (2.0 / 8) / 2, 1e-6);
  EXPECT_GT(place("5 5"), place("4 5"));
  const auto step = [&](int n) {
    return best_goal(*evaluator, machine, 1, {fmt::format("(step {})", n)});
  };
  EXPECT_NEAR(step(8), 0.9, 1e-6);
  EXPECT_NEAR(step(6), 0.9 - 0.8 * 2 / 8, 1e-6);
  EXPECT_LT(step(1), step(2));
}

// Graphs: the rooms of a house, connected by doors.
TEST(FuzzyEvaluator, DistancesOverGraphs) {
  const MachinePointer machine = testing::from_text(R"(
    (role a) (init (at hall)) (door hall kitchen) (door hall study) (door kitchen garden)
    (door study garden) (door garden pond)
    (<= (legal a (go ?y)) (true (at ?x)) (door ?x ?y))
    (<= (legal a stay) (true (at pond))) (<= (next (at pond)) (does a stay))
    (<= (next (at ?y)) (does a (go ?y)))
    (<= terminal (true (at pond))) (<= (goal a 100) (true (at pond))) (goal a 0))");
  const auto evaluator = fuzzy(machine);
  EXPECT_EQ(uses(*evaluator, Feature::graph_distance), 1u);
  const auto at = [&](const std::string& room) {
    return best_goal(*evaluator, machine, 0, {"(at " + room + ")"});
  };
  EXPECT_NEAR(at("garden"), 0.9 - 0.8 * 1 / 3, 1e-6);  // the longest shortest path has 3 doors
  EXPECT_EQ(at("kitchen"), at("study"));
  EXPECT_NEAR(at("hall"), 0.1, 1e-6);
}

// Section 3.2: pawn whopping. A pawn should reach the last rank; how many do is not the question.
std::string pawn_race(const std::string& goal) {
  return numbers(1, 8) + R"(
    (role x) (role o) (init (control x))
    (<= (init (cell ?x 2 x)) (index ?x)) (<= (init (cell ?x 7 o)) (index ?x))
    (<= (index ?x) (succ ?x ?y)) (index 8)
    (<= (next (control o)) (true (control x))) (<= (next (control x)) (true (control o)))
    (<= (taken ?x ?y) (true (cell ?x ?y ?p)))
    (<= (can x (move ?x ?y ?x ?z)) (true (cell ?x ?y x)) (succ ?y ?z) (not (taken ?x ?z)))
    (<= (can o (move ?x ?y ?x ?z)) (true (cell ?x ?y o)) (succ ?z ?y) (not (taken ?x ?z)))
    (<= (legal ?p ?m) (true (control ?p)) (can ?p ?m))
    (<= (legal ?p noop) (role ?p))
    (<= (changes ?x ?y) (does ?p (move ?x ?y ?v ?w)))
    (<= (next (cell ?v ?w ?p)) (does ?p (move ?x ?y ?v ?w)))
    (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (changes ?x ?y)))
    (<= terminal (true (cell ?x 8 x))) (goal x 0) (goal o 0)
  )" + goal;
}

TEST(FuzzyEvaluator, PawnWhoppingMeansTheDistanceNotTheNumber) {
  const MachinePointer machine =
      testing::from_text(pawn_race("(<= (goal x 100) (true (cell ?y 8 x)))"));
  const auto evaluator = fuzzy(machine);
  EXPECT_EQ(uses(*evaluator, Feature::number_distance), 1u);
  EXPECT_EQ(uses(*evaluator, Feature::cardinality), 0u);
  const auto value = [&](const std::vector<std::string>& cells) {
    return best_goal(*evaluator, machine, 0, cells);
  };
  EXPECT_GT(value({"(cell 3 5 x)"}), value({"(cell 3 4 x)"}));
  EXPECT_EQ(value({"(cell 3 5 x)"}), value({"(cell 6 5 x)", "(cell 1 2 x)"}));
  EXPECT_NEAR(value({"(cell 3 5 x)"}), 0.9 - 0.8 * 3 / 8, 1e-6);
  EXPECT_EQ(value({"(cell 3 5 o)"}), 0);  // pawns of the other player cannot come near
  // All ordered arguments are variables: a number of pieces.
  const MachinePointer pieces =
      testing::from_text(pawn_race("(<= (goal x 100) (true (cell ?x ?y x)))"));
  const auto counting = fuzzy(pieces);
  EXPECT_EQ(uses(*counting, Feature::number_distance), 0u);
  EXPECT_EQ(uses(*counting, Feature::cardinality), 1u);
}

// Section 3.2: in Connect Four the disc below is mentioned, but discs do not climb.
TEST(FuzzyEvaluator, DiscsOfConnectFourDoNotClimb) {
  const MachinePointer machine = testing::from_text(numbers(1, 4) + R"(
    (role red) (init (cell 1 1 blank)) (init (cell 1 2 blank)) (init (cell 1 3 blank))
    (init (cell 1 4 blank)) (init (cell 2 1 blank)) (init (cell 2 2 blank)) (init (cell 2 3 blank))
    (init (cell 2 4 blank)) (column 1) (column 2)
    (<= (legal red (drop ?x)) (true (cell ?x ?y blank)))
    (<= (next (cell ?x ?y red)) (true (cell ?x ?y red)))
    (<= (next (cell ?x 1 red)) (does red (drop ?x)) (true (cell ?x 1 blank)))
    (<= (next (cell ?x ?z red)) (does red (drop ?x)) (true (cell ?x ?z blank)) (succ ?y ?z)
        (true (cell ?x ?y red)))
    (<= (lands ?x 1) (does red (drop ?x)) (true (cell ?x 1 blank)))
    (<= (lands ?x ?z) (does red (drop ?x)) (true (cell ?x ?z blank)) (succ ?y ?z)
        (true (cell ?x ?y red)))
    (<= (next (cell ?x ?y blank)) (true (cell ?x ?y blank)) (not (lands ?x ?y)))
    (<= line (true (cell ?x 1 red)) (true (cell ?x 2 red)) (true (cell ?x 3 red))
        (true (cell ?x 4 red)))
    (<= terminal line) (<= (goal red 100) line) (<= (goal red 0) (not line)))");
  const auto evaluator = fuzzy(machine);
  EXPECT_EQ(uses(*evaluator, Feature::number_distance), 0u);
  EXPECT_EQ(uses(*evaluator, Feature::persistence), 8u);
  // A column with one disc: the product of 1 and three times 0.1, and another column without discs.
  const double degree = best_goal(*evaluator, machine, 0, {"(cell 1 1 red)"});
  EXPECT_NEAR(degree, 1 - (1 - 0.001) * (1 - 0.0001), 1e-6);
}

// Section 3.2: marks stay. Whether a cell is blank is no part of these goals.
TEST(FuzzyEvaluator, FeaturesOfTicTacToe) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const auto evaluator = fuzzy(machine);
  EXPECT_EQ(uses(*evaluator, Feature::cardinality), 0u);
  EXPECT_EQ(uses(*evaluator, Feature::persistence), 18u);
  EXPECT_EQ(uses(*evaluator, Feature::number_distance), 0u);
  const double two = best_goal(*evaluator, machine, 0, {"(cell 1 1 x)", "(cell 2 1 x)"});
  const double one = best_goal(*evaluator, machine, 0, {"(cell 1 1 x)"});
  EXPECT_GT(two, one);
}

TEST(FuzzyEvaluator, CardinalityGrowsWithTheSolutions) {
  for (const auto scale : {CardinalityScale::share, CardinalityScale::disjunction}) {
    const std::vector<float> degrees = degrees_by_cardinality({}, scale, 6);
    ASSERT_EQ(degrees.size(), 7u);
    for (std::size_t i = 1; i < degrees.size(); ++i) EXPECT_GT(degrees[i], degrees[i - 1]);
  }
}

// Without features and with truth values 1 and 0, the goals must be those of the rules.
std::size_t expect_goals_of_the_rules(const MachinePointer& machine, std::uint64_t seed,
                                      std::size_t max_literals) {
  FuzzyOptions options;
  options.features.reset();
  options.logic.holds = 1;
  options.logic.fails = 0;
  options.max_literals = max_literals;
  const auto evaluator = fuzzy(machine, options);
  machine::Stepper stepper(machine);
  analysis::RandomWalk walk(machine, {.seed = seed});
  std::size_t held = 0;
  for (int step = 0; step < 30; ++step) {
    const machine::State state = walk.state();
    for (std::size_t role = 0; role < machine->roles().size(); ++role) {
      const std::vector<int> goals = stepper.goals(state, role);
      const std::vector<double> degrees = evaluator->degrees(state, role);
      const auto& all = machine->game().goals[role];
      EXPECT_EQ(degrees.size(), all.size());
      for (std::size_t i = 0; i < degrees.size(); ++i) {
        const bool holds = std::find(goals.begin(), goals.end(), all[i].value) != goals.end();
        held += holds;
        EXPECT_NEAR(degrees[i], holds ? 1 : 0, 1e-5) << machine->roles()[role] << all[i].value;
      }
    }
    if (!walk.advance()) walk.restart();
  }
  return held;
}

TEST(FuzzyEvaluator, CrispGoalsAreThoseOfTheRules) {
  for (const char* game : {"tic_tac_toe", "breakthrough", "connect_four", "nim", "checkers",
                           "othello", "blocks_world", "chinese_checkers_3", "sheep_and_wolf"}) {
    SCOPED_TRACE(game);
    EXPECT_GT(expect_goals_of_the_rules(testing::shipped(game), 1, 20'000), 0u);
    EXPECT_GT(expect_goals_of_the_rules(testing::shipped(game), 1, 10), 0u);
  }
}

TEST(FuzzyEvaluator, CrispGoalsAreThoseOfTheRulesInRandomGames) {
  std::size_t held = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_game(seed));
    held += expect_goals_of_the_rules(machine, seed, seed % 2 == 0 ? 20'000 : 5);
  }
  EXPECT_GT(held, 1'000u);
}

// Without features, the tree has the same value as the ground formula in these games.
TEST(FuzzyEvaluator, AgreesWithBasicWithoutFeatures) {
  FuzzyOptions options;
  options.features.reset();
  for (const char* game : {"tic_tac_toe", "breakthrough", "connect_four"}) {
    SCOPED_TRACE(game);
    const MachinePointer machine = testing::shipped(game);
    const auto evaluator = fuzzy(machine, options);
    const auto basic = DistanceEvaluator::make(machine, {.distances = false}).value();
    analysis::RandomWalk walk(machine, {.seed = 3});
    for (int step = 0; step < 20; ++step) {
      const machine::State state = walk.state();
      for (std::size_t role = 0; role < 2; ++role) {
        const auto a = evaluator->degrees(state, role), b = basic->degrees(state, role);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4);
      }
      if (!walk.advance()) walk.restart();
    }
  }
}

// A batch has the values of its states.
TEST(FuzzyEvaluator, BatchesAgreeWithSingleStates) {
  for (const char* game : {"breakthrough", "connect_four", "checkers"}) {
    SCOPED_TRACE(game);
    const MachinePointer machine = testing::shipped(game);
    const auto evaluator = fuzzy(machine);
    analysis::RandomWalk walk(machine, {.seed = 5});
    std::vector<machine::State> states;
    while (states.size() < 150) {
      states.push_back(walk.state());
      if (!walk.advance()) walk.restart();
    }
    std::vector<float> values(2 * states.size());
    evaluator->evaluate(states, values);
    for (std::size_t s = 0; s < states.size(); ++s) {
      float of_state[2];
      evaluator->evaluate({&states[s], 1}, of_state);
      EXPECT_EQ(of_state[0], values[2 * s]);
      EXPECT_EQ(of_state[1], values[2 * s + 1]);
    }
  }
}

TEST(FuzzyEvaluator, StopsAtALimit) {
  FuzzyOptions options;
  options.limits = base::Limits(std::chrono::duration<double>(0), {});
  const auto made = FuzzyEvaluator::make(testing::shipped("checkers"), options);
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().kind, base::ErrorKind::time_limit);
}

TEST(FuzzyEvaluator, ExplainsItsTree) {
  const MachinePointer machine = testing::shipped("breakthrough");
  const auto evaluator = fuzzy(machine);
  const auto parts = evaluator->explain(machine::Stepper(machine).initial_state(), 0);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[1].name, "(goal white 100)");
  EXPECT_EQ(parts[1].kind, "goal");
  ASSERT_EQ(parts[1].children.size(), 1u);
  EXPECT_EQ(parts[1].children[0].value, parts[1].value);
}

}  // namespace
}  // namespace zermelo::eval
