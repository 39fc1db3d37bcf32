#include "toss/heuristic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "toss/fluents.h"
#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::game_of;
using testing::machine_of;
using testing::shipped_game;

// Tic-tac-toe without diagonals, as in Examples 7, 8 and 10 of the first paper.
const std::string simplified =
    "PLAYERS X, O\n"
    "REL WinP() = ex x, y, z (P(x) and P(y) and P(z) and\n"
    "  ((R(x, y) and R(y, z)) or (C(x, y) and C(y, z))))\n"
    "REL WinQ() = ex x, y, z (Q(x) and Q(y) and Q(z) and\n"
    "  ((R(x, y) and R(y, z)) or (C(x, y) and C(y, z))))\n"
    "RULE Cross: [a | - | -] -> [a | P (a) | -] emb P, Q pre not WinQ()\n"
    "RULE Circle: [a | - | -] -> [a | Q (a) | -] emb P, Q pre not WinP()\n"
    "LOC 0 { PLAYER X { PAYOFF :(WinP()) - :(WinQ()) MOVES [Cross -> 1] }\n"
    "        PLAYER O { PAYOFF :(WinQ()) - :(WinP()) } }\n"
    "LOC 1 { PLAYER X { PAYOFF :(WinP()) - :(WinQ()) }\n"
    "        PLAYER O { PAYOFF :(WinQ()) - :(WinP()) MOVES [Circle -> 0] } }\n"
    "START [ | P:1 {}; Q:1 {} | ] \". . . \n . . . \n . . .\"";

Heuristic heuristic_of(StructureMachine& machine, HeuristicMethod method) {
  HeuristicOptions options;
  options.method = method;
  auto heuristic = make_heuristic(machine, options);
  if (!heuristic) throw std::runtime_error(heuristic.error().message);
  return std::move(*heuristic);
}

// The structure with the named elements in a unary relation.
Structure with(const Game& game, Structure structure, const std::string& relation,
               const std::vector<std::string>& elements) {
  std::size_t symbol = 0;
  while (game.signature.relations[symbol].name != relation) ++symbol;
  std::vector<Element> numbers;
  for (const std::string& element : elements) {
    const auto found = std::find(game.start.names.begin(), game.start.names.end(), element);
    numbers.push_back(static_cast<Element>(found - game.start.names.begin()));
  }
  structure.set_relation(symbol, TupleSet(1, std::move(numbers)));
  return structure;
}

// Example 8, with alpha^2 = 1/16 where the paper prints 1/8.
TEST(ExistentialHeuristic, IsTheOneOfExample8) {
  StructureMachine machine = machine_of(game_of(simplified));
  const Heuristic heuristic = heuristic_of(machine, HeuristicMethod::existential);
  EXPECT_EQ(print(*heuristic.terms[0][0]),
            "(Sum (x | P(x) : 0.0625 + Sum (y | P(y) and R(x, y) : 0.25 + "
            "Sum (z | P(z) and R(y, z) : 1)))"
            " + Sum (x | P(x) : 0.0625 + Sum (y | P(y) and C(x, y) : 0.25 + "
            "Sum (z | P(z) and C(y, z) : 1))))"
            " - (Sum (x | Q(x) : 0.0625 + Sum (y | Q(y) and R(x, y) : 0.25 + "
            "Sum (z | Q(z) and R(y, z) : 1)))"
            " + Sum (x | Q(x) : 0.0625 + Sum (y | Q(y) and C(x, y) : 0.25 + "
            "Sum (z | Q(z) and C(y, z) : 1))))");
  // Two crosses side by side: each is a first step in a row and in a column, one is a second step.
  const HeuristicEvaluator evaluator(machine.theory(), heuristic);
  const Structure position =
      with(machine.game(), machine.game().start.structure, "P", {"a1", "b1"});
  EXPECT_EQ(evaluator.value(0, position, 0), 4 * 0.0625 + 0.25);
  EXPECT_EQ(evaluator.value(0, position, 1), -(4 * 0.0625 + 0.25));
}

// Example 10: guard, moves and power.
TEST(RuleConditionHeuristic, IsTheOneOfExample10) {
  StructureMachine machine = machine_of(game_of(simplified));
  const Heuristic heuristic = heuristic_of(machine, HeuristicMethod::rule_conditions);
  EXPECT_EQ(print(*heuristic.terms[0][0]),
            "Sum (x, y, z | (R(x, y) and R(y, z) or C(x, y) and C(y, z)) and "
            "(P(x) or P(y) or P(z)) and not Q(x) and not Q(y) and not Q(z) : "
            "(:(P(x)) + :(P(y)) + :(P(z)))^4)"
            " - Sum (x, y, z | (R(x, y) and R(y, z) or C(x, y) and C(y, z)) and "
            "(Q(x) or Q(y) or Q(z)) and not P(x) and not P(y) and not P(z) : "
            "(:(Q(x)) + :(Q(y)) + :(Q(z)))^4)");
  // Two crosses in the bottom row, and two columns with one each.
  const HeuristicEvaluator evaluator(machine.theory(), heuristic);
  const Game& game = machine.game();
  Structure position = with(game, game.start.structure, "P", {"a1", "b1"});
  EXPECT_EQ(evaluator.value(0, position, 0), 16 + 1 + 1);
  // A circle closes the row; its own column and the two upper rows, one of which it is in, count.
  position = with(game, position, "Q", {"c1"});
  EXPECT_EQ(evaluator.value(0, position, 0), 1 + 1 - 1);
}

// Example 9: the last row of a board.
TEST(ExistentialDescription, IsTheOneOfExample9) {
  const Game game = game_of(
      "PLAYERS X\nREL Last(x) = not ex y C(x, y)\nLOC 0 { }\n"
      "START [ | | ] \". . . \n . . . \n . . .\"");
  const auto found = existential_description(game, *game.definitions[0].body, {"R", "C"});
  ASSERT_TRUE(found);
  EXPECT_EQ(print(**found), "ex y, y_1 (C(y, x) and C(y_1, y))");
}

TEST(ExistentialDescription, GrowsWithTheBoard) {
  const Game game = shipped_game("connect_four");
  const auto parse_formula = [&](const std::string& text) {
    return game_of(print(game) + "REL Asked(x) = " + text).definitions.back().body;
  };
  const FormulaPtr top = parse_formula("not ex y C(x, y)");
  const auto found = existential_description(game, *top, {"R", "C"});
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->variables.size(), 5u);
  DescriptionOptions few;
  few.max_literals = 4;
  EXPECT_FALSE(existential_description(game, *top, {"R", "C"}, few));
}

// Whatever is found describes the relation.
TEST(ExistentialDescriptionTwins, DescribeTheSameElements) {
  int described = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    testing::RandomTexts texts(seed);
    const std::string text = "PLAYERS X\nREL Asked(x) = " + texts.first_order({"x"}, 2) +
                             "\nLOC 0 { }\nSTART " + texts.structure(2 + texts.below(3));
    SCOPED_TRACE(text);
    const Game game = game_of(text);
    const Formula& body = *game.definitions[0].body;
    if (free_variables(body).empty()) continue;
    DescriptionOptions options;
    options.max_literals = 3;
    options.max_extensions = 8;
    const auto found = existential_description(game, body, {"P", "E"}, options);
    if (!found) continue;
    ++described;
    const testing::NaiveEvaluator naive(game, game.start.structure);
    for (const Element x : game.start.structure.universe()) {
      EXPECT_EQ(naive.holds(**found, {{"x", x}}), naive.holds(body, {{"x", x}})) << print(**found);
    }
  }
  EXPECT_GT(described, 20);
}

TEST(Fluents, AreReadOffTheRules) {
  const FluentNames fluents = find_fluents(shipped_game("pawn_whopping"));
  EXPECT_EQ(fluents.relations, (Names{"Free", "MovesO", "MovesX", "O", "WinO", "WinX", "X"}));
  const StablePart stable = find_stable_part(shipped_game("small_chess"));
  EXPECT_FALSE(stable.universe);
  EXPECT_FALSE(removes_tuples(shipped_game("gomoku")));
  EXPECT_TRUE(removes_tuples(shipped_game("breakthrough")));
}

// The choice of the paper's experiments: rule conditions for Connect5 only.
TEST(Heuristic, ChoosesTheMethodByBranching) {
  const auto chosen = [](const std::string& name) {
    StructureMachine machine = machine_of(shipped_game(name));
    return heuristic_of(machine, HeuristicMethod::automatic).method;
  };
  EXPECT_EQ(chosen("gomoku"), HeuristicMethod::rule_conditions);
  EXPECT_EQ(chosen("connect_four"), HeuristicMethod::existential);
  EXPECT_EQ(chosen("tic_tac_toe"), HeuristicMethod::existential);
}

// In Breakthrough each pawn counts by how far it has come.
TEST(Heuristic, CountsTheStepsOfPawnsInBreakthrough) {
  StructureMachine machine = machine_of(shipped_game("breakthrough"));
  const Heuristic heuristic = heuristic_of(machine, HeuristicMethod::automatic);
  EXPECT_EQ(heuristic.method, HeuristicMethod::existential);
  const HeuristicEvaluator evaluator(machine.theory(), heuristic);
  const Game& game = machine.game();
  const auto of_pawn = [&](const std::string& cell) {
    const Structure position = with(game, game.start.structure, "W", {cell});
    return evaluator.value(0, with(game, position, "B", {"a7"}), 0);
  };
  for (char row = '1'; row < '8'; ++row) {
    const double step =
        of_pawn(std::string("d") + static_cast<char>(row + 1)) - of_pawn(std::string("d") + row);
    EXPECT_DOUBLE_EQ(step, 50 * std::pow(0.25, '7' - row)) << row;
  }
}

// The sums are evaluated as the slow evaluator does, along games.
TEST(HeuristicTwins, HaveTheSameValues) {
  for (const char* name : {"tic_tac_toe", "concurrent_tic_tac_toe"}) {
    StructureMachine machine = machine_of(shipped_game(name));
    for (const auto method : {HeuristicMethod::existential, HeuristicMethod::rule_conditions}) {
      const Heuristic heuristic = heuristic_of(machine, method);
      const HeuristicEvaluator evaluator(machine.theory(), heuristic);
      base::Random random(7);
      auto state = machine.initial_state();
      for (int step = 0; step < 6 && !machine.terminal(state); ++step) {
        std::vector<Move> joint;
        for (std::size_t r = 0; r < 2; ++r) {
          const auto legal = machine.legal_moves(state, r);
          joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        state = machine.next_state(state, joint);
        const testing::NaiveEvaluator naive(machine.game(), state.structure());
        EXPECT_NEAR(evaluator.value(state.location(), state.structure(), 0),
                    naive.value(*heuristic.terms[state.location()][0]), 1e-6)
            << name;
      }
    }
  }
}

TEST(Heuristic, IsPrintedByLocationAndPlayer) {
  StructureMachine machine = machine_of(game_of(simplified));
  const Heuristic heuristic = heuristic_of(machine, HeuristicMethod::existential);
  const std::string text = print_heuristic(heuristic, machine.game());
  EXPECT_EQ(text.substr(0, 56), "// from existential formulas\nLOC 0 PLAYER X: (Sum (x | P");
  EXPECT_NE(text.find("\nLOC 1 PLAYER O: (Sum (x | Q"), std::string::npos);
}

}  // namespace
}  // namespace zermelo::toss
