// Moves of one role that are never legal together.
#pragma once

#include <vector>

#include "analysis/mutex_groups.h"
#include "machine/state_machine.h"

namespace zermelo::analysis {

// Divides the moves of a role into sets, of each of which at most one move is legal in any
// reachable state. Few and large sets are sought, not the fewest; a set has one move at least, and
// every move is in one set. The groups must be proved for the game.
std::vector<std::vector<machine::Move>> exclusive_moves(const ground::Game& game,
                                                        std::uint32_t role,
                                                        const std::vector<MutexGroup>& groups);

}  // namespace zermelo::analysis
