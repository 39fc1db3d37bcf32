// The linear program of Koller, Megiddo and von Stengel ("Efficient Computation of Equilibria for
// Extensive Two-Person Games", 1996; von Stengel, "Efficient Computation of Behavior Strategies",
// 1996). Its size is linear in the game, while the normal form has a row for every combination of
// moves at all decisions.
//
// Variables are the plan x of the first player, and for every decision d of the second player the
// least payoff v(d) that it can achieve from there; v() belongs to the beginning. Maximise v() with
//
//   x(empty) = 1,  the sequences of every decision of the first player add up to the one before it,
//   for every sequence t of the second player, of decision d (or of the beginning if t is empty):
//     v(d) <= sum over s of A(s, t) x(s) + sum over the decisions e directly after t of v(e).
//
// The second player minimises, so at the optimum v(d) is the least right side among the moves of d:
// its best response by backward induction. The dual variable of the row of t is the weight of t in
// an optimal plan of the second player.

#include "solve/hidden/sequence_program.h"

#include <cmath>

namespace zermelo::solve {
namespace {

class SequenceProgram {
 public:
  explicit SequenceProgram(const SequenceForm& form)
      : form_(form),
        rows_(form.sequences(0)),
        variables_(rows_ + 1 + form.decisions(1).size()),
        program_(objective()) {
    for (std::size_t v = rows_; v < variables_; ++v) program_.set_free(v);
    add_plan_rows();
    add_response_rows();
  }

  std::optional<PlanPair> solve(LinearProgram::Arithmetic arithmetic,
                                const base::Limits& limits) const {
    const auto solution = program_.maximise(arithmetic, limits);
    if (!solution) return std::nullopt;
    std::array<Plan, 2> plans;
    plans[0].assign(solution->variables.begin(),
                    solution->variables.begin() + static_cast<std::ptrdiff_t>(rows_));
    for (std::size_t t = 0; t < form_.sequences(1); ++t)
      plans[1].push_back(std::abs(solution->prices[first_response_row_ + t]));
    for (std::size_t player = 0; player < 2; ++player) form_.normalise(player, plans[player]);
    return with_bounds(form_, std::move(plans));
  }

 private:
  std::vector<double> objective() const {
    std::vector<double> objective(variables_, 0.0);
    objective[rows_] = 1;
    return objective;
  }

  void add_plan_rows() {
    std::vector<double> row(variables_, 0.0);
    row[0] = 1;
    program_.add_row(row, LinearProgram::Relation::equal, 1);
    for (const Decision& decision : form_.decisions(0)) {
      row.assign(variables_, 0.0);
      row[decision.before] = -1;
      for (std::size_t m = 0; m < decision.moves.size(); ++m) row[decision.first + m] = 1;
      program_.add_row(row, LinearProgram::Relation::equal, 0);
    }
  }

  void add_response_rows() {
    std::vector<std::vector<double>> rows(form_.sequences(1), std::vector<double>(variables_, 0.0));
    rows[0][rows_] = 1;
    const auto& decisions = form_.decisions(1);
    for (std::size_t d = 0; d < decisions.size(); ++d) {
      const std::size_t variable = rows_ + 1 + d;
      rows[decisions[d].before][variable] = -1;
      for (std::size_t m = 0; m < decisions[d].moves.size(); ++m)
        rows[decisions[d].first + m][variable] = 1;
    }
    for (const SequenceForm::Entry& entry : form_.entries())
      rows[entry.column][entry.row] -= entry.payoff;
    first_response_row_ = 1 + form_.decisions(0).size();
    for (auto& row : rows) program_.add_row(std::move(row), LinearProgram::Relation::at_most, 0);
  }

  const SequenceForm& form_;
  std::size_t rows_;  // sequences of the first player
  std::size_t variables_;
  std::size_t first_response_row_ = 0;
  LinearProgram program_;
};

}  // namespace

std::optional<PlanPair> solve_sequence_program(const SequenceForm& form,
                                               LinearProgram::Arithmetic arithmetic,
                                               const base::Limits& limits) {
  return SequenceProgram(form).solve(arithmetic, limits);
}

}  // namespace zermelo::solve
