// The value of a matrix game and optimal strategies (von Neumann 1928), with proved bounds.
//
// 1. A saddle point: if the best guarantee of a single row and that of a single column leave no gap
//    beyond the uncertainty of the payoffs, they are the answer. Most states of games have one.
// 2. Rows and columns that another one dominates are removed, repeatedly. Weak dominance suffices,
//    because one optimal strategy of each player is wanted and not all.
// 3. The rest is a linear program: maximise v such that the row player's mixture p gets at least v
//    in every column. The optimal mixture of the column player is the dual solution.
//
// None of these steps has to be trusted. The payoffs are only known by bounds L <= A <= H, steps 2
// and 3 work with their middle, and a floating-point simplex method has tolerances. The bounds of
// the answer are computed afterwards from the strategies alone, on the whole matrix:
//
//     min over columns of p L  <=  value  <=  max over rows of H q,
//
// with sums in extended precision, a bound on their rounding errors, and rounding outwards. They
// hold for every p and q; only their distance depends on how good the strategies are. If the
// distance is larger than the uncertainty of the payoffs explains, the program is solved again in
// rational arithmetic, and the better bounds are kept.
//
// A pure strategy needs no sums, so saddle points of exactly known payoffs have exact values.

#include "solve/simultaneous/matrix_game.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solve/simultaneous/linear_program.h"

namespace zermelo::solve {
namespace {

using Numbers = std::vector<std::size_t>;

// Distances between bounds that are not worth another solver run.
constexpr double negligible_gap = 1e-11;

double widest_payoff(const MatrixGame& game) {
  double widest = 0;
  for (std::size_t i = 0; i < game.low.size(); ++i) {
    widest = std::max(widest, game.high[i] - game.low[i]);
  }
  return widest;
}

MatrixSolution pure_solution(const MatrixGame& game) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  MatrixSolution best{-infinite, infinite, {{0, 1}}, {{0, 1}}};
  for (std::size_t r = 0; r < game.rows; ++r) {
    double worst = infinite;
    for (std::size_t c = 0; c < game.columns; ++c) worst = std::min(worst, game.low[game.at(r, c)]);
    if (worst > best.low) best.row[0].move = static_cast<std::uint32_t>(r);
    best.low = std::max(best.low, worst);
  }
  for (std::size_t c = 0; c < game.columns; ++c) {
    double worst = -infinite;
    for (std::size_t r = 0; r < game.rows; ++r) worst = std::max(worst, game.high[game.at(r, c)]);
    if (worst < best.high) best.column[0].move = static_cast<std::uint32_t>(c);
    best.high = std::min(best.high, worst);
  }
  return best;
}

// The rows and columns that are left after removing dominated ones.
class Undominated {
 public:
  explicit Undominated(const MatrixGame& game) : rows(game.rows), columns(game.columns) {
    for (std::size_t i = 0; i < game.low.size(); ++i) {
      middle_.push_back(game.low[i] + (game.high[i] - game.low[i]) / 2);
    }
    width_ = game.columns;
    std::iota(rows.begin(), rows.end(), 0);
    std::iota(columns.begin(), columns.end(), 0);
    while (remove_rows() + remove_columns() > 0) {
    }
  }

  double payoff(std::size_t row, std::size_t column) const {
    return middle_[row * width_ + column];
  }

  Numbers rows, columns;

 private:
  // Of several equal lines, the first one stays.
  template <class AtLeastAsGood>
  static std::size_t remove_lines(Numbers& lines, AtLeastAsGood at_least_as_good) {
    const std::size_t before = lines.size();
    for (std::size_t i = 0; i < lines.size();) {
      const bool is_dominated = std::any_of(lines.begin(), lines.end(), [&](std::size_t other) {
        return other != lines[i] && at_least_as_good(other, lines[i]) &&
               (other < lines[i] || !at_least_as_good(lines[i], other));
      });
      is_dominated ? void(lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(i))) : void(++i);
    }
    return before - lines.size();
  }

  std::size_t remove_rows() {
    return remove_lines(rows, [&](std::size_t a, std::size_t b) {
      return std::all_of(columns.begin(), columns.end(),
                         [&](std::size_t c) { return payoff(a, c) >= payoff(b, c); });
    });
  }
  std::size_t remove_columns() {
    return remove_lines(columns, [&](std::size_t a, std::size_t b) {
      return std::all_of(rows.begin(), rows.end(),
                         [&](std::size_t r) { return payoff(r, a) <= payoff(r, b); });
    });
  }

  std::vector<double> middle_;
  std::size_t width_ = 0;
};

// A mixture from weights that a solver computed.
MixedStrategy mixture_of(const std::vector<double>& weights, const Numbers& moves) {
  constexpr double smallest = 1e-12;
  MixedStrategy mixture;
  double total = 0;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (weights[i] < smallest) continue;
    mixture.push_back({static_cast<std::uint32_t>(moves[i]), weights[i]});
    total += weights[i];
  }
  for (Choice& choice : mixture) choice.probability /= total;
  return mixture;
}

struct Strategies {
  MixedStrategy row, column;
};

// Payoffs are scaled to [0, 1], for which the tolerances of the solver are made. Returns empty
// strategies if the solver fails.
Strategies optimal_strategies(const Undominated& game, LinearProgram::Arithmetic arithmetic,
                              const base::Limits& limits) {
  const std::size_t rows = game.rows.size();
  double least = game.payoff(game.rows[0], game.columns[0]), most = least;
  for (const std::size_t r : game.rows) {
    for (const std::size_t c : game.columns) {
      least = std::min(least, game.payoff(r, c));
      most = std::max(most, game.payoff(r, c));
    }
  }
  const double scale = most > least ? most - least : 1;
  std::vector<double> objective(rows + 1, 0.0);
  objective[rows] = 1;
  LinearProgram program(objective);
  program.set_free(rows);
  for (const std::size_t c : game.columns) {
    std::vector<double> row;
    for (const std::size_t r : game.rows) row.push_back((game.payoff(r, c) - least) / scale);
    row.push_back(-1);
    program.add_row(std::move(row), LinearProgram::Relation::at_least, 0);
  }
  std::vector<double> sum(rows + 1, 1.0);
  sum[rows] = 0;
  program.add_row(std::move(sum), LinearProgram::Relation::equal, 1);
  const auto solution = program.maximise(arithmetic, limits);
  if (!solution) return {};
  std::vector<double> dual;
  for (std::size_t c = 0; c < game.columns.size(); ++c)
    dual.push_back(std::abs(solution->prices[c]));
  return {mixture_of(solution->variables, game.rows), mixture_of(dual, game.columns)};
}

// The weighted mean of payoff(move) over a mixture, rounded down (direction -1) or up (1).
template <class Payoff>
double rounded_mean(const MixedStrategy& mixture, Payoff payoff, double direction) {
  if (mixture.size() == 1) return payoff(mixture.front().move);
  long double sum = 0, total = 0, largest = 0;
  for (const Choice& choice : mixture) {
    const long double value = payoff(choice.move);
    sum += choice.probability * value;
    total += choice.probability;
    largest = std::max(largest, std::abs(value));
  }
  const long double error = largest * std::numeric_limits<long double>::epsilon() *
                            static_cast<long double>(2 * mixture.size() + 8);
  const auto rounded = static_cast<double>(sum / total + direction * error);
  return std::nextafter(rounded, direction * std::numeric_limits<double>::infinity());
}

MatrixSolution proved_solution(const MatrixGame& game, Strategies strategies) {
  MatrixSolution solution{std::numeric_limits<double>::infinity(),
                          -std::numeric_limits<double>::infinity(), std::move(strategies.row),
                          std::move(strategies.column)};
  for (std::size_t c = 0; c < game.columns; ++c) {
    const auto payoff = [&](std::uint32_t r) { return game.low[game.at(r, c)]; };
    solution.low = std::min(solution.low, rounded_mean(solution.row, payoff, -1));
  }
  for (std::size_t r = 0; r < game.rows; ++r) {
    const auto payoff = [&](std::uint32_t c) { return game.high[game.at(r, c)]; };
    solution.high = std::max(solution.high, rounded_mean(solution.column, payoff, 1));
  }
  return solution;
}

// Takes the better strategy of each player.
void improve(MatrixSolution& best, MatrixSolution other) {
  if (other.low > best.low) {
    best.low = other.low;
    best.row = std::move(other.row);
  }
  if (other.high < best.high) {
    best.high = other.high;
    best.column = std::move(other.column);
  }
}

}  // namespace

MatrixSolution solve_matrix(const MatrixGame& game, const base::Limits& limits) {
  const double widest = widest_payoff(game);
  MatrixSolution best = pure_solution(game);
  const auto is_done = [&] { return best.high - best.low <= widest + negligible_gap; };
  if (is_done()) return best;
  const Undominated reduced(game);
  using Arithmetic = LinearProgram::Arithmetic;
  for (const Arithmetic arithmetic : {Arithmetic::floating, Arithmetic::exact}) {
    Strategies strategies = optimal_strategies(reduced, arithmetic, limits);
    if (strategies.row.empty() || strategies.column.empty()) continue;
    improve(best, proved_solution(game, std::move(strategies)));
    if (is_done()) break;
  }
  return best;
}

}  // namespace zermelo::solve
