// Random compositions of two-player games in which the players take turns.
#pragma once

#include <cstdint>
#include <string>

namespace zermelo::testing {

enum class SumKind {
  normal,    // who cannot move loses: a sum of partisan games in normal play
  rewarded,  // rewards by random combinations of where the tokens stand; some end by time
  serial,    // the second graph is played once the first one is over, with such rewards
};

// Returns a rulesheet in prefix syntax, determined by the seed. Roles `a` and `b` move tokens along
// the edges of two or three small graphs without cycles; some edges are for one of them only.
std::string random_sum(std::uint64_t seed, SumKind kind);

}  // namespace zermelo::testing
