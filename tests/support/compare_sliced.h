// Plays random games in lanes, and repeats a few lanes on Stepper. Legal moves, chosen moves, next
// states, terminal and goals must agree in every lane.
#pragma once

#include <optional>
#include <string>

#include "lanes/sliced_games.h"
#include "machine/machine.h"

namespace zermelo::testing {

// Returns the first difference within the given number of steps, if any. Requires code that
// observes moves.
std::optional<std::string> compare_sliced(const lanes::SlicedCode& code, machine::Stepper& stepper,
                                          std::size_t steps, std::size_t lanes, std::uint64_t seed);

}  // namespace zermelo::testing
