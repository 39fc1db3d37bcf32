// Alpha-beta against the values of the explicit solver.
#include "search/alpha_beta.h"

#include <gtest/gtest.h>

#include "search/games.h"
#include "solve/explicit/explicit_solver.h"

namespace zermelo::search {
namespace {

void expect_solver_values(const SimulatorPointer& simulator, std::size_t table_bytes) {
  const auto solution =
      solve::solve_explicit(simulator->machine(), {solve::OpponentModel::difference, {}}).value();
  base::Random random(3);
  for (int i = 0; i < 10; ++i) {
    const State state = random_state(*simulator, random.below(7), random);
    AlphaBeta search = AlphaBeta::make(simulator, {table_bytes}).value();
    const AlphaBetaReport report = search.search(state, {});
    const solve::Rewards value = solution.value(state).value();
    EXPECT_TRUE(report.is_exact);
    EXPECT_EQ(report.value, value[report.role] - value[1 - report.role]);
    const std::vector<solve::MoveValue> moves = solution.moves(state);
    if (moves.size() < 2) continue;  // no role has a choice: any move will do
    EXPECT_TRUE(std::any_of(moves.begin(), moves.end(), [&](const solve::MoveValue& move) {
      return move.move == report.move && move.rewards[0] - move.rewards[1] == value[0] - value[1];
    }));
  }
}

TEST(AlphaBeta, FindsTheSolversValues) {
  expect_solver_values(shipped("tic_tac_toe"), 1 << 20);
  expect_solver_values(shipped("nim"), 1 << 20);
  expect_solver_values(generated("clobber", {"3", "3"}), 1 << 20);
}

TEST(AlphaBeta, TinyTablesGiveTheSameValues) { expect_solver_values(shipped("nim"), 1 << 8); }

// The choice that a leaves to b is worth less to a than its other move, already because of c1. So
// the table has c1 as a refutation, from a deeper search than the one that needs b's best move.
TEST(AlphaBeta, ReturnsTheMoveOfTheRootSearch) {
  std::string rules = R"(
    (role a) (role b) (init (at start)) (init (step 0))
    (<= (legal a good) (true (at start))) (<= (legal a trap) (true (at start)))
    (<= (legal a noop) (not (true (at start))))
    (<= (legal b c1) (true (at trap))) (<= (legal b c2) (true (at trap)))
    (<= (legal b noop) (not (true (at trap))))
    (<= (next (at good)) (does a good)) (<= (next (at trap)) (does a trap))
    (<= (next (at c1)) (does b c1)) (<= (next (at c2)) (does b c2))
    (<= (next (at ?x)) (true (at ?x)) (does a noop) (does b noop))
    (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
    (<= terminal (true (step 20)))
    (<= (goal ?r 50) (role ?r) (not (true (at c1))) (not (true (at c2))))
    (<= (goal a 40) (true (at c1))) (<= (goal b 60) (true (at c1)))
    (<= (goal a 0) (true (at c2))) (<= (goal b 100) (true (at c2)))
  )";
  for (int n = 0; n < 20; ++n) {
    rules += "(after " + std::to_string(n) + " " + std::to_string(n + 1) + ")";
  }
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(rules));
  AlphaBeta search = AlphaBeta::make(simulator, {}).value();
  search.search(simulator->initial(), {{}, 5});
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  walker->make(std::vector<Move>{walker->legal(0)[1], walker->legal(1)[0]});
  const AlphaBetaReport report = search.search(walker->state(), {{}, 2});
  EXPECT_EQ(report.role, 1u);
  EXPECT_EQ(report.value, 99);  // of a win that is not certain yet
  EXPECT_EQ(simulator->move_name(report.move), "c2");
}

// a moves along a line of cells, in both directions, and gets 100 at its end.
SimulatorPointer line_of_cells(const std::string& goal_of_b) {
  return simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init (cell 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
    (legal a left) (legal a right) (legal b noop)
    (<= (next (cell ?y)) (does a right) (true (cell ?x)) (after ?x ?y))
    (<= (next (cell ?x)) (does a left) (true (cell ?y)) (after ?x ?y))
    (<= (next (cell 1)) (does a left) (true (cell 1)))
    (<= terminal (true (cell 5)))
    (<= (goal a 100) (true (cell 5))) (<= (goal a 0) (not (true (cell 5))))
    (goal b )" + goal_of_b + ")"));
}

// Moving left never ends, so only the win itself can end the search.
TEST(AlphaBeta, AWinEndsTheSearch) {
  const SimulatorPointer simulator = line_of_cells("0");
  AlphaBeta search = AlphaBeta::make(simulator, {}).value();
  const AlphaBetaReport report = search.search(simulator->initial(), {{}, 20});
  EXPECT_TRUE(report.is_exact);
  EXPECT_EQ(report.value, 100);
  EXPECT_EQ(report.depth, 4u);
  EXPECT_EQ(simulator->move_name(report.move), "right");
}

// Uses searches that share the table.
std::size_t moves_to_the_end(const SimulatorPointer& simulator, std::size_t table_bytes) {
  AlphaBeta search = AlphaBeta::make(simulator, {table_bytes}).value();
  const auto walker = simulator->walker();
  walker->go_to(simulator->initial());
  std::size_t moves = 0;
  for (; !walker->terminal() && moves < 100; ++moves) {
    const Move best = search.search(walker->state(), {{}, 8}).move;
    walker->make(std::vector<Move>{best, walker->legal(1)[0]});
  }
  return moves;
}

// The maximum over all small table sizes, which lose some results.
std::size_t most_moves_to_the_end(const SimulatorPointer& simulator) {
  std::size_t most = 0;
  for (std::size_t table_bytes = 1; table_bytes < 1'000; table_bytes += 24) {
    most = std::max(most, moves_to_the_end(simulator, table_bytes));
  }
  return most;
}

// Every cell has the same value, as each move can be undone; yet a player must reach the end. If b
// gets 50, the outcome is not the best possible one, so it is never proved.
TEST(AlphaBeta, PlayersReachTheEndOfAWonGame) {
  EXPECT_EQ(most_moves_to_the_end(line_of_cells("0")), 4u);
  EXPECT_EQ(most_moves_to_the_end(line_of_cells("50")), 4u);
}

// a moves between two cells and wins from each by a long path. The path from the other cell looks
// shorter, as b could let a finish most of it, so that its end is in sight.
TEST(AlphaBeta, PlayersDoNotRepeatStatesInAWonGame) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init (at place1))
    (edge place1 ask gift2) (edge place1 change place2) (edge place1 go one1)
    (edge place2 ask gift1) (edge place2 change place1) (edge place2 go one2)
    (edge gift1 give three1) (edge gift1 refuse draw)
    (edge gift2 give three2) (edge gift2 refuse draw)
    (edge one1 go two1) (edge two1 go three1) (edge three1 go four)
    (edge one2 go two2) (edge two2 go three2) (edge three2 go four)
    (edge four go five) (edge five go win)
    (choice_of_b gift1) (choice_of_b gift2)
    (<= (mover b) (true (at ?x)) (choice_of_b ?x)) (<= (mover a) (not (mover b)))
    (<= (legal ?r ?m) (mover ?r) (true (at ?x)) (edge ?x ?m ?y))
    (<= (legal ?r noop) (role ?r) (not (mover ?r)))
    (<= (next (at ?y)) (does ?r ?m) (true (at ?x)) (edge ?x ?m ?y))
    (<= terminal (true (at draw))) (<= terminal (true (at win)))
    (<= (goal a 100) (true (at win))) (<= (goal b 0) (true (at win)))
    (<= (goal ?r 50) (role ?r) (not (true (at win))))
  )"));
  EXPECT_LE(most_moves_to_the_end(simulator), 8u);
}

// Both moves are worth 100 by the goals, but only one of them ends the game.
TEST(AlphaBeta, AGoalInANonTerminalStateIsNotAWin) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init open) (legal a go_on) (legal a stop) (legal b noop)
    (<= (next open) (does a go_on)) (<= terminal (not (true open)))
    (goal a 100) (goal b 0)
  )"));
  AlphaBeta search = AlphaBeta::make(simulator, {}).value();
  const AlphaBetaReport report = search.search(simulator->initial(), {{}, 20});
  EXPECT_EQ(simulator->move_name(report.move), "stop");
  EXPECT_TRUE(report.is_exact);
}

TEST(AlphaBeta, DepthIsALimit) {
  const SimulatorPointer simulator = shipped("connect_four");
  AlphaBeta search = AlphaBeta::make(simulator, {}).value();
  const AlphaBetaReport report = search.search(simulator->initial(), {{}, 4});
  EXPECT_EQ(report.depth, 4u);
  EXPECT_FALSE(report.is_exact);
}

TEST(AlphaBeta, RejectsOtherGames) {
  EXPECT_FALSE(AlphaBeta::make(shipped("rock_paper_scissors"), {}).has_value());
  EXPECT_FALSE(AlphaBeta::make(shipped("eight_puzzle"), {}).has_value());
}

// Minimax without pruning: the role's reward less the largest of the others, 0 at the depth limit.
int paranoid_value(const Simulator& simulator, const State& state, std::size_t me, int depth) {
  const auto walker = simulator.walker();
  walker->go_to(state);
  if (walker->terminal()) {
    int others = 0;
    for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
      if (role != me) others = std::max(others, walker->goal(role));
    }
    return walker->goal(me) - others;
  }
  if (depth == 0) return 0;
  std::vector<Move> joint;
  std::size_t decider = 0;
  for (std::size_t role = 0; role < simulator.roles().size(); ++role) {
    if (walker->legal(role).size() > 1) decider = role;
    joint.push_back(walker->legal(role).front());
  }
  const std::vector<Move> moves(walker->legal(decider).begin(), walker->legal(decider).end());
  std::optional<int> best;
  for (const Move move : moves) {
    joint[decider] = move;
    walker->go_to(state);
    walker->make(joint);
    const int value = paranoid_value(simulator, walker->state(), me, depth - 1);
    best = !best ? value : decider == me ? std::max(*best, value) : std::min(*best, value);
  }
  return *best;
}

// Prefers the last states of a numbered line.
class LineEvaluator : public eval::Evaluator {
 public:
  explicit LineEvaluator(ground::Atom wanted) : wanted_(wanted) {}
  void evaluate(std::span<const machine::State> states, std::span<float> values) const override {
    for (std::size_t i = 0; i < states.size(); ++i) {
      values[2 * i] = states[i].test(wanted_) ? 60.0f : 40.0f;
      values[2 * i + 1] = 50;
    }
  }
  std::vector<eval::EvaluationPart> explain(const machine::State&, std::size_t) const override {
    return {};
  }

 private:
  ground::Atom wanted_;
};

// Two moves away from the best state the goals say nothing.
TEST(AlphaBeta, UsesTheEvaluatorAtTheDepthLimit) {
  const SimulatorPointer simulator = line_of_cells("0");
  const auto by_name = simulator->machine()->game().fluents_by_name();
  for (const auto& [cell, move] : {std::pair("(cell 2)", "right"), std::pair("(cell 1)", "left")}) {
    AlphaBeta search =
        AlphaBeta::make(simulator, {.evaluator = std::make_shared<LineEvaluator>(by_name.at(cell))})
            .value();
    const AlphaBetaReport report = search.search(simulator->initial(), {{}, 1});
    EXPECT_EQ(simulator->move_name(report.move), move);
    EXPECT_EQ(report.value, 10);
    EXPECT_FALSE(report.is_exact);
  }
}

// All others play against the role that decides: it sees a forced win, and blocks one of theirs.
TEST(AlphaBeta, IsParanoidAgainstSeveralOpponents) {
  const SimulatorPointer simulator = shipped("three_player_tic_tac_toe");
  base::Random random(2);
  for (int i = 0; i < 5; ++i) {
    const State state = random_state(*simulator, 4 + random.below(4), random);
    AlphaBeta search = AlphaBeta::make(simulator, {}).value();
    const AlphaBetaReport report = search.search(state, {{}, 3});
    const auto walker = simulator->walker();
    walker->go_to(state);
    const std::span<const Move> legal = walker->legal(report.role);
    EXPECT_NE(std::find(legal.begin(), legal.end(), report.move), legal.end());
    EXPECT_EQ(report.value > 0, paranoid_value(*simulator, state, report.role, 3) > 0);
  }
}

// Legal moves in terminal states are not a choice.
TEST(AlphaBeta, MovesInTerminalStatesAreIgnored) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init start)
    (<= (legal a x) (true start)) (<= (legal a y) (true start)) (<= (legal b noop) (true start))
    (<= (legal ?r x) (role ?r) (not (true start))) (<= (legal ?r y) (role ?r) (not (true start)))
    (<= (next (chosen ?m)) (does a ?m)) (<= terminal (not (true start)))
    (<= (goal a 100) (true (chosen y))) (<= (goal a 0) (not (true (chosen y)))) (goal b 50)
  )"));
  auto search = AlphaBeta::make(simulator, {});
  ASSERT_TRUE(search.has_value());
  const AlphaBetaReport report = search->search(simulator->initial(), {});
  EXPECT_EQ(simulator->move_name(report.move), "y");
  EXPECT_EQ(report.value, 50);
}

TEST(AlphaBeta, WithoutAChoiceReturnsTheMoveOfTheFirstRole) {
  const SimulatorPointer simulator = simulator_of(testing::rulesheet(R"(
    (role a) (role b) (init start) (legal a one) (legal b other)
    (<= terminal (not (true start))) (goal a 50) (goal b 50)
  )"));
  AlphaBeta search = AlphaBeta::make(simulator, {}).value();
  for (const unsigned depth : {0u, 1u}) {
    const AlphaBetaReport report = search.search(simulator->initial(), {{}, depth});
    EXPECT_EQ(simulator->move_name(report.move), "one");
  }
}

}  // namespace
}  // namespace zermelo::search
