// The equilibrium of a position as users see it.
#pragma once

#include <string>
#include <vector>

#include "solve/common/equilibrium.h"
#include "solve/folder/equilibrium_reader.h"

namespace zermelo::app {

struct EquilibriumView {
  struct Move {
    std::string name;
    double probability = 0;  // if correlated, that of being told the move
    double value = 0;        // the role's mean reward by this move, see EquilibriumPosition
  };
  struct Strategy {
    std::string role;
    std::vector<Move> moves;  // all legal ones, sorted by name
  };
  struct JointMove {
    std::vector<std::string> moves;  // by role
    double probability = 0;
    std::vector<double> low, high;  // by role
  };

  solve::SolutionConcept solution_concept = solve::SolutionConcept::minimax;
  std::vector<double> low, high;     // by role
  std::vector<Strategy> strategies;  // by role; empty in a terminal state
  std::vector<JointMove> matrix;     // all joint moves, that of the first role varies fastest

  double value(std::size_t role) const { return low[role] + (high[role] - low[role]) / 2; }
};

// `solution_concept` is that of the whole solution.
EquilibriumView view_of(const solve::EquilibriumPosition& position, const machine::Machine& machine,
                        solve::SolutionConcept solution_concept);

}  // namespace zermelo::app
