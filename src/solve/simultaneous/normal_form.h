// Games in normal form: any number of roles choose at the same time, with any payoffs.
#pragma once

#include <cstddef>
#include <vector>

#include "base/limits.h"
#include "solve/common/equilibrium.h"

namespace zermelo::solve {

struct NormalForm {
  std::vector<std::size_t> moves;  // by role, their number, at least 1
  // By joint move, in which the move of the first role varies fastest, then by role.
  std::vector<double> payoffs;

  std::size_t roles() const { return moves.size(); }
  std::size_t joint_moves() const { return payoffs.size() / moves.size(); }
  double payoff(std::size_t joint, std::size_t role) const {
    return payoffs[joint * roles() + role];
  }
};

// What everybody does, without values.
struct Profile {
  SolutionConcept solution_concept = SolutionConcept::pure_nash;
  std::vector<MixedStrategy> strategies;  // by role; empty if correlated
  MixedStrategy joint;                    // if correlated
};

// Returns an equilibrium by the rule at the top of normal_form.cc. Returns an empty profile (no
// strategies and no joint) if a limit is reached or the linear programs fail.
Profile find_equilibrium(const NormalForm& game, const base::Limits& limits = {});

// The most that a role can gain by deviating from the profile: for a correlated one, from its
// recommendations.
double largest_gain(const NormalForm& game, const Profile& profile);

}  // namespace zermelo::solve
