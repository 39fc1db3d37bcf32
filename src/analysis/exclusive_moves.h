// Moves of one role that are never legal together.
#pragma once

#include <vector>

#include "analysis/mutex_groups.h"
#include "base/state_machine.h"

namespace zermelo::analysis {

// Divides the moves of a role into sets, of each of which at most one move is legal in any
// reachable state. Few and large sets are sought, not the fewest; a set has one move at least, and
// every move is in one set. The groups must be proved for the game.
std::vector<std::vector<machine::Move>> exclusive_moves(const ground::Game& game,
                                                        std::uint32_t role,
                                                        const std::vector<MutexGroup>& groups);

// The sets of more than one move of all roles, with groups found by the rules alone; none for games
// so large that looking would take seconds. Always the same for a game, so that what is computed
// from random numbers over the sets (lanes::SlicedOptions) is so, too; at a limit, those found
// until then.
std::vector<std::vector<machine::Move>> exclusive_moves(const ground::Game& game,
                                                        const base::Limits& limits = {});

}  // namespace zermelo::analysis
