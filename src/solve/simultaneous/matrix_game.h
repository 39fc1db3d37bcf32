// Matrix games: two roles choose at the same time, and what one gains the other loses.
#pragma once

#include <cstddef>
#include <vector>

#include "base/limits.h"
#include "solve/common/equilibrium.h"

namespace zermelo::solve {

// The payoffs of the row player, who maximises them; the column player minimises them. Each payoff
// is known by bounds.
struct MatrixGame {
  std::size_t rows = 0, columns = 0;
  std::vector<double> low, high;  // by row, then by column

  std::size_t at(std::size_t row, std::size_t column) const { return row * columns + column; }
};

struct MatrixSolution {
  double low = 0, high = 0;   // the value is between them
  MixedStrategy row, column;  // that secure these bounds
};

// Requires at least one row and one column. The bounds hold even if a limit stops the search for
// better strategies.
MatrixSolution solve_matrix(const MatrixGame& game, const base::Limits& limits = {});

}  // namespace zermelo::solve
