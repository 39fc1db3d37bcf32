// Linear programs, solved by GLPK.
//
//   LinearProgram program({1, 1});                                    // maximise x + y
//   program.add_row({2, 1}, LinearProgram::Relation::at_most, 4);     // 2x + y <= 4
//   auto solution = program.maximise(LinearProgram::Arithmetic::floating);
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/limits.h"

namespace zermelo::solve {

class LinearProgram {
 public:
  enum class Relation { at_least, equal, at_most };
  // exact: rational numbers throughout, many times slower; only the result is rounded.
  enum class Arithmetic { floating, exact };

  struct Solution {
    double objective = 0;
    std::vector<double> variables;
    std::vector<double> prices;  // by row: the dual variable
  };

  // The coefficients of the objective, by variable. No variable is negative unless it is free.
  explicit LinearProgram(std::vector<double> objective);

  void set_free(std::size_t variable) { is_free_[variable] = true; }
  // Requires one coefficient per variable.
  void add_row(std::vector<double> coefficients, Relation relation, double right);

  // Returns a vertex that maximises the objective, up to rounding. Returns nullopt if there is no
  // feasible point or no maximum, and if the solver stopped early, by time or for numerical
  // reasons. One thread at a time may call this.
  std::optional<Solution> maximise(Arithmetic arithmetic, const base::Limits& limits = {}) const;

 private:
  struct Row {
    std::vector<double> coefficients;
    Relation relation;
    double right;
  };

  std::vector<double> objective_;
  std::vector<bool> is_free_;
  std::vector<Row> rows_;
};

}  // namespace zermelo::solve
