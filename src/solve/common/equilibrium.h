// What best play means where several roles decide at once: a solution concept, the strategies of a
// state and bounds on its value.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "solve/common/algorithm.h"

namespace zermelo::solve {

// From the strongest statement to the weakest. The concept of a solution is the weakest one among
// its states.
//
// minimax: two roles whose rewards have a constant sum; each role can secure the value, whatever
// the other does. pure_nash: no role gains by another move, and nobody randomises. nash: no role
// gains by another strategy, and roles randomise independently. correlated: the roles follow
// private recommendations that are drawn together, and no role gains by deviating from its own.
enum class SolutionConcept { minimax, pure_nash, nash, correlated };

inline constexpr std::array<Named<SolutionConcept>, 4> solution_concepts = {{
    {SolutionConcept::minimax, "minimax"},
    {SolutionConcept::pure_nash, "pure-nash"},
    {SolutionConcept::nash, "nash"},
    {SolutionConcept::correlated, "correlated"},
}};

std::string name_of(SolutionConcept solution_concept);
// Returns nullopt for a text that is not in the table.
std::optional<SolutionConcept> solution_concept_named(std::string_view name);

// A move with its probability. The move is a number among the legal moves of a role, sorted by
// name; in a correlated strategy it is the number of a joint move, in which the move of the first
// role varies fastest.
struct Choice {
  std::uint32_t move = 0;
  double probability = 1;

  bool operator==(const Choice&) const = default;
};

// The moves with a positive probability, ascending. The probabilities add up to 1, up to rounding;
// divide by their sum for the exact strategy.
using MixedStrategy = std::vector<Choice>;

// The solution of one state.
struct Equilibrium {
  SolutionConcept solution_concept = SolutionConcept::minimax;
  // By role, proved bounds. With minimax, on the value of the state. Otherwise on the expected
  // reward if everybody follows the stored strategies from here on.
  std::vector<double> low, high;
  std::vector<MixedStrategy> strategies;  // by role; empty in terminal states and if correlated
  MixedStrategy joint;                    // the distribution over joint moves, if correlated

  bool operator==(const Equilibrium&) const = default;
  // The middle of the bounds.
  double value(std::size_t role) const { return low[role] + (high[role] - low[role]) / 2; }
};

// The largest distance between the bounds of a role. Half of it bounds the error of value().
double width_of(const Equilibrium& equilibrium);

// The gain of a deviation, and the difference between payoffs, that counts as none.
inline constexpr double payoff_tolerance = 1e-9;

}  // namespace zermelo::solve
