// Moves of one role that are never legal together.
#pragma once

#include <vector>

#include "analysis/mutex_groups.h"
#include "base/state_machine.h"

namespace zermelo::analysis {

// Partitions the moves of a role into sets; in any reachable state, at most one move of each set is
// legal. Aims at few large sets, but not the minimum. Every move is in exactly one set. The groups
// must be proved for the game.
std::vector<std::vector<machine::Move>> exclusive_moves(const ground::Game& game,
                                                        std::uint32_t role,
                                                        const std::vector<MutexGroup>& groups);

// Returns the sets of more than one move of all roles, computed with groups found by the rules
// alone; none for games so large that this would take seconds. The result is deterministic, so that
// random playouts over the sets (lanes::SlicedOptions) are, too. At a limit, returns the sets found
// so far.
std::vector<std::vector<machine::Move>> exclusive_moves(const ground::Game& game,
                                                        const base::Limits& limits = {});

}  // namespace zermelo::analysis
