// Backward induction over the decisions of one player. Against a fixed plan of the other, every
// sequence earns a fixed payoff, and what follows a sequence is a set of independent decisions: in
// each the player takes the best move. Perfect recall makes this exact: the decisions after a
// sequence are reached only by it.

#include "solve/hidden/best_response.h"

#include <algorithm>

namespace zermelo::solve {
namespace {

// By sequence, what it earns if all later decisions are taken best.
Plan best_earnings(const SequenceForm& form, std::size_t player, const Plan& other) {
  Plan worth;
  form.earnings(player, other, worth);
  const auto& decisions = form.decisions(player);
  for (auto decision = decisions.rbegin(); decision != decisions.rend(); ++decision) {
    const auto first = worth.begin() + decision->first;
    worth[decision->before] +=
        *std::max_element(first, first + static_cast<std::ptrdiff_t>(decision->moves.size()));
  }
  return worth;
}

}  // namespace

double best_response(const SequenceForm& form, std::size_t player, const Plan& other) {
  return best_earnings(form, player, other)[0];
}

PlanPair with_bounds(const SequenceForm& form, std::array<Plan, 2> plans) {
  PlanPair pair{std::move(plans), 0, 0};
  const double error = form.rounding_error();
  pair.low = -best_response(form, 1, pair.plans[0]) - error;
  pair.high = best_response(form, 0, pair.plans[1]) + error;
  return pair;
}

}  // namespace zermelo::solve
