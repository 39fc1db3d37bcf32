// Matrix games and games in normal form, beside obvious twins: fictitious play, whose bounds close
// in on the value, and the definition of an equilibrium.
#include "solve/simultaneous/matrix_game.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "solve/simultaneous/linear_program.h"
#include "solve/simultaneous/normal_form.h"

namespace zermelo::solve {
namespace {

MatrixGame exact_matrix(std::size_t rows, std::size_t columns, std::vector<double> payoffs) {
  return {rows, columns, payoffs, payoffs};
}

double probability(const MixedStrategy& strategy, std::size_t move) {
  for (const Choice& choice : strategy) {
    if (choice.move == move) return choice.probability;
  }
  return 0;
}

// What the row player gets at least, by the definition.
double guaranteed(const MatrixGame& game, const MixedStrategy& row) {
  double worst = 1e300;
  for (std::size_t c = 0; c < game.columns; ++c) {
    double mean = 0;
    for (const Choice& choice : row) mean += choice.probability * game.low[game.at(choice.move, c)];
    worst = std::min(worst, mean);
  }
  return worst;
}

struct PlayedBounds {
  double low, high;
};

// Fictitious play (Brown 1951): both answer the other's frequencies so far. The frequencies give
// bounds on the value at every time.
PlayedBounds fictitious_play(const MatrixGame& game, int rounds) {
  std::vector<double> of_row(game.rows), of_column(game.columns);  // sums of payoffs
  std::size_t row = 0, column = 0;
  PlayedBounds bounds{-1e300, 1e300};
  for (int round = 1; round <= rounds; ++round) {
    for (std::size_t r = 0; r < game.rows; ++r) of_row[r] += game.low[game.at(r, column)];
    for (std::size_t c = 0; c < game.columns; ++c) of_column[c] += game.low[game.at(row, c)];
    row = static_cast<std::size_t>(std::max_element(of_row.begin(), of_row.end()) - of_row.begin());
    column = static_cast<std::size_t>(std::min_element(of_column.begin(), of_column.end()) -
                                      of_column.begin());
    bounds.high = std::min(bounds.high, of_row[row] / round);
    bounds.low = std::max(bounds.low, of_column[column] / round);
  }
  return bounds;
}

MatrixGame random_matrix(base::Random& random, std::size_t largest, int values) {
  MatrixGame game;
  game.rows = 1 + random.next() % largest;
  game.columns = 1 + random.next() % largest;
  for (std::size_t i = 0; i < game.rows * game.columns; ++i) {
    game.low.push_back(static_cast<double>(random.next() % static_cast<unsigned>(values)));
  }
  game.high = game.low;
  return game;
}

TEST(LinearProgram, FindsAVertexAndItsPrices) {
  LinearProgram program({3, 2});
  program.add_row({1, 1}, LinearProgram::Relation::at_most, 4);
  program.add_row({1, 3}, LinearProgram::Relation::at_most, 9);
  program.add_row({1, 0}, LinearProgram::Relation::at_most, 3);
  for (const auto arithmetic :
       {LinearProgram::Arithmetic::floating, LinearProgram::Arithmetic::exact}) {
    const auto solution = program.maximise(arithmetic);
    ASSERT_TRUE(solution);
    EXPECT_DOUBLE_EQ(solution->objective, 11);
    EXPECT_DOUBLE_EQ(solution->variables[0], 3);
    EXPECT_DOUBLE_EQ(solution->variables[1], 1);
    EXPECT_DOUBLE_EQ(solution->prices[0], 2);
    EXPECT_DOUBLE_EQ(solution->prices[1], 0);
    EXPECT_DOUBLE_EQ(solution->prices[2], 1);
  }
}

TEST(LinearProgram, ReportsThatThereIsNoMaximum) {
  LinearProgram unbounded({1, 0});
  unbounded.add_row({0, 1}, LinearProgram::Relation::at_most, 1);
  EXPECT_FALSE(unbounded.maximise(LinearProgram::Arithmetic::floating));
  LinearProgram infeasible({1});
  infeasible.add_row({1}, LinearProgram::Relation::at_most, -1);
  EXPECT_FALSE(infeasible.maximise(LinearProgram::Arithmetic::floating));
}

TEST(MatrixGame, RockPaperScissors) {
  const auto solution = solve_matrix(exact_matrix(3, 3, {50, 0, 100, 100, 50, 0, 0, 100, 50}));
  EXPECT_NEAR(solution.low, 50, 1e-12);
  EXPECT_NEAR(solution.high, 50, 1e-12);
  EXPECT_LE(solution.low, 50);
  EXPECT_GE(solution.high, 50);
  for (std::size_t move = 0; move < 3; ++move) {
    EXPECT_NEAR(probability(solution.row, move), 1.0 / 3, 1e-12);
    EXPECT_NEAR(probability(solution.column, move), 1.0 / 3, 1e-12);
  }
}

TEST(MatrixGame, ASaddlePointIsExactAndPure) {
  const auto solution = solve_matrix(exact_matrix(2, 3, {7, 3, 9, 1, 2, 8}));
  EXPECT_EQ(solution.low, 3);
  EXPECT_EQ(solution.high, 3);
  EXPECT_EQ(solution.row, (MixedStrategy{{0, 1}}));
  EXPECT_EQ(solution.column, (MixedStrategy{{1, 1}}));
}

TEST(MatrixGame, DominatedMovesHaveNoProbability) {
  // The third row and the third column are dominated; the rest is matching pennies.
  const auto solution = solve_matrix(exact_matrix(3, 3, {100, 0, 100, 0, 100, 100, 0, 0, 50}));
  EXPECT_NEAR(solution.low, 50, 1e-12);
  EXPECT_EQ(probability(solution.row, 2), 0);
  EXPECT_EQ(probability(solution.column, 2), 0);
}

TEST(MatrixGame, UncertainPayoffsWidenTheBoundsByNoMoreThanTheirWidth) {
  MatrixGame game = exact_matrix(2, 2, {100, 0, 0, 100});
  for (double& payoff : game.low) payoff -= 0.25;
  for (double& payoff : game.high) payoff += 0.5;
  const auto solution = solve_matrix(game);
  EXPECT_LE(solution.low, 49.75);
  EXPECT_GE(solution.high, 50.5);
  EXPECT_LE(solution.high - solution.low, 0.75 + 1e-10);
}

TEST(MatrixGame, TheBoundsHoldForTheStrategiesAndContainTheValue) {
  base::Random random(7);
  for (int game_number = 0; game_number < 400; ++game_number) {
    const MatrixGame game = random_matrix(random, 8, game_number % 2 == 0 ? 4 : 101);
    const auto solution = solve_matrix(game);
    EXPECT_LE(solution.low, solution.high);
    EXPECT_LE(solution.high - solution.low, 1e-10);
    EXPECT_LE(solution.low, guaranteed(game, solution.row) + 1e-10);
    const PlayedBounds played = fictitious_play(game, 4000);
    EXPECT_LE(played.low, solution.high + 1e-9);
    EXPECT_GE(played.high, solution.low - 1e-9);
    EXPECT_LE(played.high - played.low, 15) << "fictitious play says little";
  }
}

TEST(MatrixGame, LargeMatricesAreSolvedToTheSamePrecision) {
  base::Random random(11);
  MatrixGame game{60, 60, {}, {}};
  for (int i = 0; i < 3600; ++i) game.low.push_back(static_cast<double>(random.next() % 101));
  game.high = game.low;
  const auto solution = solve_matrix(game);
  EXPECT_LE(solution.high - solution.low, 1e-10);
}

NormalForm normal_form(std::vector<std::size_t> moves, std::vector<double> payoffs) {
  return {std::move(moves), std::move(payoffs)};
}

TEST(NormalForm, ThePrisonersDilemmaHasADominantSolution) {
  // Cooperate, defect. The first role varies fastest.
  const auto game = normal_form({2, 2}, {3, 3, 5, 0, 0, 5, 1, 1});
  const Profile profile = find_equilibrium(game);
  EXPECT_EQ(profile.solution_concept, SolutionConcept::pure_nash);
  EXPECT_EQ(profile.strategies[0], (MixedStrategy{{1, 1}}));
  EXPECT_EQ(profile.strategies[1], (MixedStrategy{{1, 1}}));
}

TEST(NormalForm, OfSeveralPureEquilibriaTheLargestSumIsSelectedThenTheFirstRole) {
  // Coordination: both equilibria are pure, the second is better for both.
  const Profile better = find_equilibrium(normal_form({2, 2}, {1, 1, 0, 0, 0, 0, 2, 2}));
  EXPECT_EQ(better.strategies[0], (MixedStrategy{{1, 1}}));
  // Battle of the sexes: equal sums; the first role prefers its second move.
  const Profile battle = find_equilibrium(normal_form({2, 2}, {1, 2, 0, 0, 0, 0, 2, 1}));
  EXPECT_EQ(battle.strategies[0], (MixedStrategy{{1, 1}}));
  EXPECT_EQ(battle.strategies[1], (MixedStrategy{{1, 1}}));
}

TEST(NormalForm, WithoutAPureEquilibriumTwoRolesMix) {
  // An inspection game: the mixtures make the other role indifferent.
  const auto game = normal_form({2, 2}, {0, 3, 2, 0, 4, 0, 1, 1});
  const Profile profile = find_equilibrium(game);
  EXPECT_EQ(profile.solution_concept, SolutionConcept::nash);
  EXPECT_LE(largest_gain(game, profile), 1e-9);
  EXPECT_NEAR(probability(profile.strategies[0], 0), 0.25, 1e-9);
  EXPECT_NEAR(probability(profile.strategies[1], 0), 0.6, 1e-9);
}

TEST(NormalForm, ThreeRolesWithoutAPureEquilibriumCorrelate) {
  // Each of two moves; the payoffs of role r depend on whether it matches role r + 1. The last role
  // wants to differ, so no joint move satisfies everybody.
  std::vector<double> payoffs;
  for (int joint = 0; joint < 8; ++joint) {
    const int a = joint & 1, b = joint >> 1 & 1, c = joint >> 2 & 1;
    payoffs.insert(payoffs.end(), {a == b ? 1.0 : 0.0, b == c ? 1.0 : 0.0, c != a ? 1.0 : 0.0});
  }
  const auto game = normal_form({2, 2, 2}, payoffs);
  const Profile profile = find_equilibrium(game);
  EXPECT_EQ(profile.solution_concept, SolutionConcept::correlated);
  EXPECT_LE(largest_gain(game, profile), 1e-9);
}

// The definition, move by move.
double gain_of_deviations(const NormalForm& game, const Profile& profile) {
  const std::size_t rows = game.moves[0], columns = game.moves[1];
  const auto mean = [&](std::size_t role, const std::vector<double>& p,
                        const std::vector<double>& q) {
    double sum = 0;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        sum += p[r] * q[c] * game.payoff(r + c * rows, role);
      }
    }
    return sum;
  };
  std::vector<double> p(rows), q(columns);
  for (std::size_t r = 0; r < rows; ++r) p[r] = probability(profile.strategies[0], r);
  for (std::size_t c = 0; c < columns; ++c) q[c] = probability(profile.strategies[1], c);
  double gain = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<double> pure(rows);
    pure[r] = 1;
    gain = std::max(gain, mean(0, pure, q) - mean(0, p, q));
  }
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<double> pure(columns);
    pure[c] = 1;
    gain = std::max(gain, mean(1, p, pure) - mean(1, p, q));
  }
  return gain;
}

TEST(NormalForm, RandomGamesOfTwoRolesHaveNashEquilibria) {
  base::Random random(3);
  int mixed = 0;
  for (int number = 0; number < 300; ++number) {
    NormalForm game;
    game.moves = {1 + random.next() % 5, 1 + random.next() % 5};
    const unsigned values = number % 3 == 0 ? 3 : 50;  // degenerate games too
    for (std::size_t i = 0; i < 2 * game.moves[0] * game.moves[1]; ++i) {
      game.payoffs.push_back(static_cast<double>(random.next() % values));
    }
    const Profile profile = find_equilibrium(game);
    ASSERT_EQ(profile.strategies.size(), 2u) << number;
    EXPECT_LE(gain_of_deviations(game, profile), 1e-6) << number;
    mixed += profile.solution_concept == SolutionConcept::nash;
  }
  EXPECT_GT(mixed, 20);
}

TEST(NormalForm, OnZeroSumGamesTheEquilibriumHasTheValueOfTheMatrix) {
  base::Random random(5);
  for (int number = 0; number < 100; ++number) {
    const MatrixGame matrix = random_matrix(random, 4, 20);
    NormalForm game{{matrix.rows, matrix.columns}, {}};
    for (std::size_t c = 0; c < matrix.columns; ++c) {
      for (std::size_t r = 0; r < matrix.rows; ++r) {
        game.payoffs.push_back(matrix.low[matrix.at(r, c)]);
        game.payoffs.push_back(-matrix.low[matrix.at(r, c)]);
      }
    }
    const Profile profile = find_equilibrium(game);
    ASSERT_EQ(profile.strategies.size(), 2u);
    double value = 0;
    for (const Choice& row : profile.strategies[0]) {
      for (const Choice& column : profile.strategies[1]) {
        value +=
            row.probability * column.probability * matrix.low[matrix.at(row.move, column.move)];
      }
    }
    EXPECT_NEAR(value, solve_matrix(matrix).low, 1e-6) << number;
  }
}

}  // namespace
}  // namespace zermelo::solve
