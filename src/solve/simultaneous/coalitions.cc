// The characteristic function of von Neumann and Morgenstern (1944): a coalition S plays against
// all other roles, who act together and only want to keep it from rewards. This is a game of two
// players with constant sum, so v(S) is its minimax value. The moves of S in a state are the
// combinations of its roles' legal moves, and so are those of the rest; backward induction solves a
// matrix game in every state (matrix_game.h), with bounds as for any other such game. All
// coalitions share one graph of states. Where the roles take turns, every matrix has a single row
// or a single column.
//
// v of nobody is 0. v of everybody is the largest sum of rewards that can be reached at all.
//
// The Shapley value (Shapley 1953) of role i is the sum over all S without i of
// |S|! (n - |S| - 1)! / n! times v(S with i) - v(S).
//
// The core is the set of divisions x of v(everybody) with x(S) >= v(S) for every S. The linear
// program maximises e such that x(S) >= v(S) + e for every S but nobody and everybody. Its solution
// is a point of the least core (Maschler, Peleg and Shapley 1979); the core is empty if and only if
// e < 0.

#include "solve/simultaneous/coalitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <span>
#include <tuple>

#include "base/error_name.h"
#include "solve/explicit/limit_watch.h"
#include "solve/simultaneous/joint_graph.h"
#include "solve/simultaneous/linear_program.h"
#include "solve/simultaneous/matrix_game.h"

namespace zermelo::solve {
namespace {

bool is_member(Coalition coalition, std::size_t role) { return coalition >> role & 1; }

// Backward induction for one coalition against the rest.
class CoalitionInduction {
 public:
  CoalitionInduction(const JointGraph& graph, const std::vector<StateIndex>& order,
                     const base::Limits& limits)
      : graph_(graph), order_(order), limits_(limits), low_(graph.size()), high_(graph.size()) {}

  // Returns the bounds of the initial state. They are meaningless if the watch has stopped.
  std::pair<double, double> run(Coalition coalition, LimitWatch& watch) {
    for (auto state = order_.rbegin(); state != order_.rend() && !watch.stopped(); ++state) {
      graph_.terminal[*state] != unknown_outcome ? end(*state, coalition)
                                                 : solve(*state, coalition);
    }
    return {low_[0], high_[0]};
  }

 private:
  void end(StateIndex state, Coalition coalition) {
    const Rewards& rewards = graph_.outcomes[graph_.terminal[state]];
    double sum = 0;
    for (std::size_t role = 0; role < rewards.size(); ++role) {
      if (is_member(coalition, role)) sum += rewards[role];
    }
    low_[state] = high_[state] = sum;
  }

  // Rows are the combinations of moves of the coalition, columns those of the others.
  void solve(StateIndex state, Coalition coalition) {
    const auto moves = graph_.moves_of(state);
    const auto successors = graph_.successors(state);
    game_.rows = game_.columns = 1;
    for (std::size_t role = 0; role < moves.size(); ++role) {
      (is_member(coalition, role) ? game_.rows : game_.columns) *= moves[role];
    }
    game_.low.resize(successors.size());
    game_.high.resize(successors.size());
    for (std::size_t joint = 0; joint < successors.size(); ++joint) {
      const std::size_t place = place_of_joint(joint, moves, coalition);
      game_.low[place] = low_[successors[joint]];
      game_.high[place] = high_[successors[joint]];
    }
    const MatrixSolution solution = solve_matrix(game_, limits_);
    low_[state] = solution.low;
    high_[state] = solution.high;
  }

  std::size_t place_of_joint(std::size_t joint, std::span<const std::uint32_t> moves,
                             Coalition coalition) const {
    std::size_t row = 0, column = 0, row_stride = 1, column_stride = 1;
    for (std::size_t role = 0; role < moves.size(); ++role) {
      const std::size_t move = joint % moves[role];
      joint /= moves[role];
      const bool is_in = is_member(coalition, role);
      (is_in ? row : column) += move * (is_in ? row_stride : column_stride);
      (is_in ? row_stride : column_stride) *= moves[role];
    }
    return game_.at(row, column);
  }

  const JointGraph& graph_;
  const std::vector<StateIndex>& order_;
  const base::Limits& limits_;
  std::vector<double> low_, high_;  // by state
  MatrixGame game_;                 // of the current state
};

double factorial(std::size_t n) { return n < 2 ? 1 : static_cast<double>(n) * factorial(n - 1); }

}  // namespace

base::Result<CoalitionValues> coalition_values(std::shared_ptr<const machine::Machine> machine,
                                               const base::Limits& limits) {
  CoalitionValues values;
  values.roles = machine->roles().size();
  if (values.roles > max_coalition_roles) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("coalitions of more than {} roles", max_coalition_roles));
  }
  const auto graph = explore_joint_moves(std::move(machine), limits);
  if (!graph) return tl::unexpected(graph.error());
  LimitWatch watch(limits);
  const std::vector<StateIndex> order = predecessors_first(*graph, watch);
  if (!watch.stopped_now() && order.size() < graph->size()) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the values of coalitions are defined only in games in which no state can "
                      "repeat");
  }
  values.low.assign(std::size_t{1} << values.roles, 0.0);
  values.high = values.low;
  CoalitionInduction induction(*graph, order, limits);
  for (Coalition coalition = 1; coalition <= values.everybody() && !watch.stopped_now();
       ++coalition) {
    std::tie(values.low[coalition], values.high[coalition]) = induction.run(coalition, watch);
  }
  if (!watch.limit()) return values;
  return tl::unexpected(
      base::limit_error(*watch.limit(), fmt::format("after finding the {} states", graph->size())));
}

std::vector<double> shapley_values(const CoalitionValues& values) {
  std::vector<double> shares(values.roles);
  for (std::size_t role = 0; role < values.roles; ++role) {
    for (Coalition others = 0; others <= values.everybody(); ++others) {
      if (is_member(others, role)) continue;
      const auto size = static_cast<std::size_t>(std::popcount(others));
      const double weight =
          factorial(size) * factorial(values.roles - size - 1) / factorial(values.roles);
      shares[role] += weight * (values.value(others | Coalition{1} << role) - values.value(others));
    }
  }
  return shares;
}

std::optional<std::pair<Coalition, Coalition>> superadditivity_violation(
    const CoalitionValues& values) {
  for (Coalition a = 1; a <= values.everybody(); ++a) {
    for (Coalition b = a + 1; b <= values.everybody(); ++b) {
      if ((a & b) == 0 && values.high[a | b] < values.low[a] + values.low[b])
        return std::pair(a, b);
    }
  }
  return std::nullopt;
}

std::optional<LeastCore> least_core(const CoalitionValues& values, const base::Limits& limits) {
  if (values.roles == 1) return LeastCore{{values.value(1)}, 0};
  std::vector<double> objective(values.roles + 1, 0.0);
  objective.back() = 1;
  LinearProgram program(objective);
  for (std::size_t variable = 0; variable <= values.roles; ++variable) program.set_free(variable);
  for (Coalition coalition = 1; coalition <= values.everybody(); ++coalition) {
    std::vector<double> row(values.roles + 1, 0.0);
    for (std::size_t role = 0; role < values.roles; ++role) row[role] = is_member(coalition, role);
    const bool is_all = coalition == values.everybody();
    row.back() = is_all ? 0 : -1;
    program.add_row(std::move(row),
                    is_all ? LinearProgram::Relation::equal : LinearProgram::Relation::at_least,
                    values.value(coalition));
  }
  for (const auto arithmetic :
       {LinearProgram::Arithmetic::floating, LinearProgram::Arithmetic::exact}) {
    auto solution = program.maximise(arithmetic, limits);
    if (!solution) continue;
    LeastCore core{std::move(solution->variables), 0};
    core.excess = core.shares.back();
    core.shares.pop_back();
    return core;
  }
  return std::nullopt;
}

}  // namespace zermelo::solve
