// Goals in fuzzy logic: the examples of the paper on distance features, and a slow evaluation.
#include "eval/distance_evaluator.h"

#include <gtest/gtest.h>

#include "analysis/fluent_graph.h"
#include "base/random.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::eval {
namespace {

using testing::MachinePointer;

std::shared_ptr<const DistanceEvaluator> evaluator_of(const MachinePointer& machine,
                                                      bool distances = true) {
  return DistanceEvaluator::make(machine, {.distances = distances}).value();
}

machine::State state_of(const machine::Machine& machine, const std::vector<std::string>& fluents) {
  const auto by_name = machine.game().fluents_by_name();
  machine::State state(machine.game().fluents.size());
  for (const std::string& fluent : fluents) state.set(by_name.at(fluent));
  return state;
}

float reward(const Evaluator& evaluator, const machine::State& state) {
  float values[2];
  evaluator.evaluate({&state, 1}, values);
  return values[0];
}

// Section 5.2: two crosses in the first row, and the third cell is blank or a nought.
TEST(DistanceEvaluator, ABlockedRowOfTicTacToeIsWorthNothing) {
  const MachinePointer machine = testing::shipped("tic_tac_toe");
  const auto evaluator = evaluator_of(machine);
  const ground::Atom missing = machine->game().fluents_by_name().at("(cell 3 1 x)");
  const auto row = [&](const std::string& third) {
    return state_of(*machine, {"(cell 1 1 x)", "(cell 2 1 x)", "(cell 3 1 " + third + ")"});
  };
  EXPECT_NEAR(evaluator->degree(row("b"), missing), 0.1, 1e-6);
  EXPECT_EQ(evaluator->degree(row("o"), missing), 0);
  EXPECT_NEAR(evaluator->degree(row("x"), missing), 0.9, 1e-6);
  EXPECT_GT(reward(*evaluator, row("b")), reward(*evaluator, row("o")));
  const auto basic = evaluator_of(machine, false);
  EXPECT_NEAR(basic->degree(row("b"), missing), 0.1, 1e-6);
  EXPECT_NEAR(basic->degree(row("o"), missing), 0.1, 1e-6);
}

// Section 5.3: advanced pawns are better, and those in the centre.
TEST(DistanceEvaluator, BreakthroughPrefersTheCentre) {
  const MachinePointer machine = testing::shipped("breakthrough");
  const auto evaluator = evaluator_of(machine);
  const auto pawn = [&](const std::string& cell) {
    std::vector<std::string> fluents{"(cell " + cell + " white)", "(cell 4 8 black)"};
    for (char column = '1'; column <= '8'; ++column) {
      for (char row = '1'; row <= '8'; ++row) {
        const std::string other = {column, ' ', row};
        if (other != cell && other != "4 8") fluents.push_back("(cell " + other + " empty)");
      }
    }
    return state_of(*machine, fluents);
  };
  EXPECT_GT(reward(*evaluator, pawn("4 5")), reward(*evaluator, pawn("4 4")));
  EXPECT_GT(reward(*evaluator, pawn("4 5")), reward(*evaluator, pawn("1 5")));
  const auto basic = evaluator_of(machine, false);
  EXPECT_EQ(reward(*basic, pawn("4 5")), reward(*basic, pawn("1 3")));
}

// Takes formulas apart by recursion, and finds distances anew for every fluent.
class SlowEvaluation {
 public:
  SlowEvaluation(const MachinePointer& machine, const machine::State& state)
      : game_(machine->game()),
        state_(state),
        graphs_(analysis::make_fluent_graphs(machine).value()) {}

  double degree(ground::Atom atom) const {
    if (atom < game_.fluents.size()) return degree_of_fluent(atom);
    double none = 1;
    for (auto rule = game_.rules_begin(atom); rule < game_.rules_end(atom); ++rule) {
      double all = 1;
      for (const ground::Literal literal : game_.body(rule)) {
        const double one = degree(literal.atom());
        all *= literal.negated() ? 1 - one : one;
      }
      none *= 1 - all;
    }
    return 1 - none;
  }

 private:
  double degree_of_fluent(ground::Atom fluent) const {
    double smallest = 1;
    for (const analysis::FluentGraph& graph : graphs_) {
      const analysis::FluentDistances distances({&graph, 1}, fluent);
      const std::uint16_t distance = distances.to_target(state_);
      if (distance == analysis::FluentDistances::unreachable) return 0;
      const double share = distance == 0 ? 0 : double{1} * distance / distances.longest();
      smallest = std::min(smallest, 0.9 - 0.8 * share);
    }
    return smallest;
  }

  const ground::Game& game_;
  const machine::State& state_;
  std::vector<analysis::FluentGraph> graphs_;
};

void expect_slow_degrees(const MachinePointer& machine, std::uint64_t seed) {
  const auto evaluator = evaluator_of(machine);
  machine::Stepper stepper(machine);
  machine::State state = stepper.initial_state();
  base::Random random(seed);
  for (int step = 0; step < 5; ++step) {
    const SlowEvaluation slow(machine, state);
    for (std::size_t role = 0; role < machine->roles().size(); ++role) {
      const std::vector<double> degrees = evaluator->degrees(state, role);
      const auto& goals = machine->game().goals[role];
      ASSERT_EQ(degrees.size(), goals.size());
      for (std::size_t i = 0; i < goals.size(); ++i) {
        EXPECT_NEAR(degrees[i], slow.degree(goals[i].atom), 1e-4);
      }
    }
    if (stepper.terminal(state)) return;
    std::vector<base::Move> joint;
    for (std::size_t role = 0; role < machine->roles().size(); ++role) {
      const auto legal = stepper.legal_moves(state, role);
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    state = stepper.next_state(state, joint);
  }
}

TEST(DistanceEvaluator, AgreesWithTheSlowEvaluation) {
  for (const char* game : {"tic_tac_toe", "breakthrough", "three_player_tic_tac_toe", "nim"}) {
    SCOPED_TRACE(game);
    expect_slow_degrees(testing::shipped(game), 1);
  }
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_game(seed));
    if (machine->game().recursive.empty()) expect_slow_degrees(machine, seed);
  }
}

// A recursive atom is not taken apart; it is true or not.
TEST(DistanceEvaluator, RecursiveGoalsAreTrueOrFalse) {
  const MachinePointer machine = testing::from_text(R"(
    (role a) (init (at 1)) (legal a go)
    (edge 1 2) (edge 2 1) (edge 2 3) (edge 4 5)
    (<= (next (at ?y)) (true (at ?x)) (edge ?x ?y))
    (<= (path ?x ?y) (edge ?x ?y) (true (at ?x)))
    (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
    (<= terminal (true (at 3)))
    (<= (goal a 100) (path 2 3)) (<= (goal a 0) (not (path 2 3)))
  )");
  ASSERT_FALSE(machine->game().recursive.empty());
  const auto evaluator = evaluator_of(machine);
  EXPECT_NEAR(reward(*evaluator, state_of(*machine, {"(at 2)"})), 90, 1e-3);
  EXPECT_NEAR(reward(*evaluator, state_of(*machine, {"(at 1)"})), 10, 1e-3);
}

// Whether a part, or a part of a part, is as wanted.
template <class Wanted>
bool contains(const std::vector<EvaluationPart>& parts, Wanted wanted) {
  return std::any_of(parts.begin(), parts.end(), [&](const EvaluationPart& part) {
    return wanted(part) || contains(part.children, wanted);
  });
}

TEST(DistanceEvaluator, ExplainsGoalsAndFluents) {
  const MachinePointer machine = testing::shipped("breakthrough");
  const auto evaluator = evaluator_of(machine);
  const machine::State state = state_of(*machine, {"(cell 4 5 white)", "(cell 4 8 black)"});
  const std::vector<EvaluationPart> parts = evaluator->explain(state, 0);
  ASSERT_FALSE(parts.empty());
  EXPECT_EQ(parts[0].name, "(goal white 0)");
  EXPECT_TRUE(contains(parts, [](const EvaluationPart& part) {
    return part.name == "(cell 4 8 white)" && part.value > 0.1 && part.value < 0.9;
  }));
}

}  // namespace
}  // namespace zermelo::eval
