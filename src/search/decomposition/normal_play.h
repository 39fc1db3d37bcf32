// What games in which a player who cannot move loses have in common.
#pragma once

#include "machine/machine.h"

namespace zermelo::search::decomposition {

// Whether the goals depend on nothing but fluents that run by themselves, such as the player to
// move.
bool has_goals_of_time(const machine::Machine& machine);

}  // namespace zermelo::search::decomposition
