// Plays random games in lanes, and steps each of a few lanes on Stepper as well: what is legal,
// what is chosen, what follows, whether it is over and what the goals are must agree in every lane.
#pragma once

#include <optional>
#include <string>

#include "lanes/sliced_games.h"
#include "machine/machine.h"

namespace zermelo::testing {

// The first difference met within so many steps, or nothing. The code must observe moves.
std::optional<std::string> compare_sliced(const lanes::SlicedCode& code, machine::Stepper& stepper,
                                          std::size_t steps, std::size_t lanes, std::uint64_t seed);

}  // namespace zermelo::testing
