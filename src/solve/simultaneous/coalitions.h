// Coalitions: what every set of roles can secure for itself, and how to share it.
//
//   auto worth = coalition_values(machine, limits);       // v(S) for every set S
//   shapley_values(*worth), least_core(*worth, limits);
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"

namespace zermelo::solve {

// A set of roles: bit r is set if role r is in it.
using Coalition = std::uint32_t;

// More roles have too many coalitions.
inline constexpr std::size_t max_coalition_roles = 12;

// The characteristic function of a game: v(S) is the largest sum of rewards that the roles of S can
// secure together, whatever the other roles do, known by bounds.
struct CoalitionValues {
  std::size_t roles = 0;
  std::vector<double> low, high;  // by coalition

  Coalition everybody() const { return (Coalition{1} << roles) - 1; }
  // The middle of the bounds.
  double value(Coalition coalition) const {
    return low[coalition] + (high[coalition] - low[coalition]) / 2;
  }
};

// Fails with not_applicable if states can repeat, if a role has no legal move, and for more than
// max_coalition_roles roles; and with the limit that is reached.
base::Result<CoalitionValues> coalition_values(std::shared_ptr<const machine::Machine> machine,
                                               const base::Limits& limits);

// By role, its mean contribution over all orders in which the roles can join.
std::vector<double> shapley_values(const CoalitionValues& values);

// Two disjoint coalitions that secure more apart than together; nullopt if there are none, that is,
// if the function is superadditive.
std::optional<std::pair<Coalition, Coalition>> superadditivity_violation(
    const CoalitionValues& values);

// A division of v(everybody) in which the least satisfied coalition gets as much more than its
// value as possible.
struct LeastCore {
  std::vector<double> shares;  // by role
  double excess = 0;           // what the least satisfied coalition gets beyond its value

  // The core is not empty if no coalition gets less than it can secure.
  bool core_is_empty() const { return excess < -1e-7; }
};

// Returns nullopt if the linear program fails. With one role the excess is 0.
std::optional<LeastCore> least_core(const CoalitionValues& values, const base::Limits& limits);

}  // namespace zermelo::solve
