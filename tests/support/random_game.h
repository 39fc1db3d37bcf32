// Random games for comparing engines: valid, finite, and with many features that are hard to
// evaluate.
#pragma once

#include <cstdint>
#include <string>

namespace zermelo::testing {

// Returns a rulesheet in prefix syntax, determined by the seed. It has one to three roles, which
// move simultaneously and always have a legal move, and a step counter that ends every game.
// Derived predicates, before and after the moves, use recursion, negation, disjunction, `distinct`,
// nested terms and repeated variables. Some games have structures that optimisers look for: cyclic
// fluents, persistent fluents, and pieces that move from place to place.
std::string random_game(std::uint64_t seed);
// The same kind of game in GDL-II: the last of two to four roles is often `random`, and the others
// see percepts that depend on state and moves.
std::string random_hidden_game(std::uint64_t seed);
// The same kind of game with one role.
std::string random_single_player_game(std::uint64_t seed);

}  // namespace zermelo::testing
