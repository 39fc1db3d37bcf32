#include "cli/equilibrium_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"

namespace zermelo::cli {
namespace {

using app::EquilibriumView;
using Cells = std::vector<std::string>;

// "50/50", by role.
std::string values_cell(const EquilibriumView::JointMove& joint) {
  Cells values;
  for (std::size_t role = 0; role < joint.low.size(); ++role) {
    values.push_back(decimal(joint.low[role] + (joint.high[role] - joint.low[role]) / 2));
  }
  return fmt::format("{}", fmt::join(values, "/"));
}

std::string list_of_joint_moves(const Cells& roles, const EquilibriumView& view) {
  Cells titles = {"probability"};
  for (const std::string& role : roles) titles.push_back("move of " + role);
  titles.insert(titles.end(), roles.begin(), roles.end());
  std::vector<Cells> rows;
  for (const EquilibriumView::JointMove& joint : view.matrix) {
    Cells& row = rows.emplace_back(Cells{decimal(joint.probability)});
    row.insert(row.end(), joint.moves.begin(), joint.moves.end());
    for (std::size_t role = 0; role < roles.size(); ++role) {
      row.push_back(decimal(joint.low[role] + (joint.high[role] - joint.low[role]) / 2));
    }
  }
  return columns(titles, rows);
}

}  // namespace

std::string decimal(double number) {
  std::string text = fmt::format("{:.6f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string value_text(const Cells& roles, const EquilibriumView& view) {
  std::string text;
  double width = 0;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    text += fmt::format("{}{} {}", role == 0 ? "" : ", ", roles[role], decimal(view.value(role)));
    width = std::max(width, view.high[role] - view.low[role]);
  }
  return text + (width == 0 ? ", exact" : fmt::format(", error at most {:.1e}", width / 2));
}

std::string concept_text(solve::SolutionConcept solution_concept) {
  switch (solution_concept) {
    case solve::SolutionConcept::minimax:
      return "minimax: each role secures its value against any play";
    case solve::SolutionConcept::pure_nash:
      return "pure-nash: no role gains by another move; nobody randomises";
    case solve::SolutionConcept::nash:
      return "nash: no role gains by another strategy";
    case solve::SolutionConcept::correlated:
      return "correlated: no role gains by ignoring its recommended move";
  }
  return "";
}

std::string strategy_tables(const EquilibriumView& view) {
  std::string text;
  for (const EquilibriumView::Strategy& strategy : view.strategies) {
    if (strategy.moves.size() < 2) continue;
    std::vector<Cells> rows;
    for (const EquilibriumView::Move& move : strategy.moves) {
      rows.push_back({decimal(move.probability), move.name, decimal(move.value)});
    }
    text += "\n" + columns({"probability", "move of " + strategy.role, "value"}, rows);
  }
  return text;
}

std::string matrix_table(const Cells& roles, const EquilibriumView& view) {
  if (view.matrix.empty()) return "";
  constexpr std::size_t widest = 12;
  const bool is_matrix = roles.size() == 2 && view.strategies[0].moves.size() > 1 &&
                         view.strategies[1].moves.size() > 1 &&
                         view.strategies[1].moves.size() <= widest;
  if (!is_matrix) return "\n" + list_of_joint_moves(roles, view);
  Cells titles = {roles[0] + " \\ " + roles[1]};
  for (const EquilibriumView::Move& move : view.strategies[1].moves) titles.push_back(move.name);
  std::vector<Cells> rows;
  const std::size_t moves = view.strategies[0].moves.size();
  for (std::size_t row = 0; row < moves; ++row) {
    Cells& cells = rows.emplace_back(Cells{view.strategies[0].moves[row].name});
    for (std::size_t joint = row; joint < view.matrix.size(); joint += moves) {
      cells.push_back(values_cell(view.matrix[joint]));
    }
  }
  return "\n" + columns(titles, rows);
}

}  // namespace zermelo::cli
