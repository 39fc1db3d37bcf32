// Random games for comparing engines: valid GDL, finite, and full of what makes evaluation hard.
#pragma once

#include <cstdint>
#include <string>

namespace zermelo::testing {

// A rulesheet in prefix syntax, the same for the same seed: one to three roles that may move at the
// same time and always can, derived predicates with recursion, negation, disjunction, `distinct`,
// nested terms and repeated variables, before and after the moves, and a step counter that ends
// every game. Some games have what optimisers look for: fluents that go round by themselves, that
// stay once they hold, and pieces that moves bring from place to place.
std::string random_game(std::uint64_t seed);
// The same kind of game with one role.
std::string random_single_player_game(std::uint64_t seed);

}  // namespace zermelo::testing
