// Best responses, and what they prove about a pair of strategies.
#pragma once

#include <array>

#include "solve/hidden/sequence_form.h"

namespace zermelo::solve {

// The largest expected payoff of a player against a plan of the other.
double best_response(const SequenceForm& form, std::size_t player, const Plan& other);

// Plans of both players, and bounds on the value of the game for the first: its plan earns at least
// `low`, and the plan of the second permits at most `high`, whatever the opponent does. The bounds
// include the rounding errors.
struct PlanPair {
  std::array<Plan, 2> plans;
  double low = 0, high = 0;

  // The mean over both players of what a best response gains; the largest error of the middle of
  // the bounds as the value.
  double exploitability() const { return (high - low) / 2; }
};

// Requires normalised plans.
PlanPair with_bounds(const SequenceForm& form, std::array<Plan, 2> plans);

}  // namespace zermelo::solve
