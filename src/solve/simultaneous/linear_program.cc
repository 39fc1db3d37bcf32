#include "solve/simultaneous/linear_program.h"

#include <glpk.h>

#include <algorithm>
#include <cassert>
#include <memory>
#include <utility>

namespace zermelo::solve {
namespace {

struct DeleteProblem {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};
using Problem = std::unique_ptr<glp_prob, DeleteProblem>;

int bound_type(LinearProgram::Relation relation) {
  switch (relation) {
    case LinearProgram::Relation::at_least:
      return GLP_LO;
    case LinearProgram::Relation::equal:
      return GLP_FX;
    case LinearProgram::Relation::at_most:
      return GLP_UP;
  }
  return GLP_FR;
}

glp_smcp control_of(const base::Limits& limits) {
  glp_smcp control;
  glp_init_smcp(&control);
  control.msg_lev = GLP_MSG_OFF;
  if (const auto left = limits.time_left()) {
    control.tm_lim = static_cast<int>(std::min(left->count() * 1000, 1e9)) + 1;
  }
  return control;
}

}  // namespace

LinearProgram::LinearProgram(std::vector<double> objective)
    : objective_(std::move(objective)), is_free_(objective_.size(), false) {}

void LinearProgram::add_row(std::vector<double> coefficients, Relation relation, double right) {
  assert(coefficients.size() == objective_.size());
  rows_.push_back({std::move(coefficients), relation, right});
}

std::optional<LinearProgram::Solution> LinearProgram::maximise(Arithmetic arithmetic,
                                                               const base::Limits& limits) const {
  glp_term_out(GLP_OFF);
  const Problem problem(glp_create_prob());
  glp_prob* const p = problem.get();
  const int columns = static_cast<int>(objective_.size()), rows = static_cast<int>(rows_.size());
  glp_set_obj_dir(p, GLP_MAX);
  glp_add_cols(p, columns);
  for (int c = 1; c <= columns; ++c) {
    const auto variable = static_cast<std::size_t>(c - 1);
    glp_set_obj_coef(p, c, objective_[variable]);
    glp_set_col_bnds(p, c, is_free_[variable] ? GLP_FR : GLP_LO, 0, 0);
  }
  if (rows > 0) glp_add_rows(p, rows);
  std::vector<int> indices;
  std::vector<double> values;
  for (int r = 1; r <= rows; ++r) {
    const Row& row = rows_[static_cast<std::size_t>(r - 1)];
    indices.assign(1, 0);  // GLPK counts from 1
    values.assign(1, 0);
    for (int c = 1; c <= columns; ++c) {
      const double coefficient = row.coefficients[static_cast<std::size_t>(c - 1)];
      if (coefficient == 0) continue;
      indices.push_back(c);
      values.push_back(coefficient);
    }
    glp_set_row_bnds(p, r, bound_type(row.relation), row.right, row.right);
    glp_set_mat_row(p, r, static_cast<int>(indices.size()) - 1, indices.data(), values.data());
  }
  const glp_smcp control = control_of(limits);
  if (glp_simplex(p, &control) != 0 && arithmetic == Arithmetic::floating) return std::nullopt;
  if (arithmetic == Arithmetic::exact && glp_exact(p, &control) != 0) return std::nullopt;
  if (glp_get_status(p) != GLP_OPT) return std::nullopt;
  Solution solution;
  solution.objective = glp_get_obj_val(p);
  for (int c = 1; c <= columns; ++c) solution.variables.push_back(glp_get_col_prim(p, c));
  for (int r = 1; r <= rows; ++r) solution.prices.push_back(glp_get_row_dual(p, r));
  return solution;
}

}  // namespace zermelo::solve
