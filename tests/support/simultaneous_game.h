// Random games in which two roles decide at the same time, with payoffs that make them randomise.
#pragma once

#include <cstdint>
#include <string>

namespace zermelo::testing {

// Returns a rulesheet in prefix syntax, determined by the seed: a game tree of one to three rounds.
// In every round both roles choose among two or three moves, and each joint move leads to a node of
// its own. The rewards of the leaves are random; with `constant_sum` they add up to 100. A random
// matrix often has no saddle point, so many nodes have only mixed equilibria.
std::string random_simultaneous_game(std::uint64_t seed, bool constant_sum);

}  // namespace zermelo::testing
