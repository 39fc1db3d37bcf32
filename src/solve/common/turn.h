// Which role's moves are listed in a state.
#pragma once

#include <cstddef>
#include <vector>

#include "ground/game.h"
#include "machine/machine.h"

namespace zermelo::solve {

// By move, whether a rule for the next state depends on it.
std::vector<bool> moves_with_effect(const ground::Game& game);

// The role whose moves are listed: the one that decides, or else the first that has a move with an
// effect. Requires that every role has legal moves and that at most one role decides.
std::size_t listed_role(machine::Stepper& stepper, const machine::State& state,
                        const std::vector<std::vector<machine::Move>>& legal);

// The state after the role's move if the others make their first legal ones.
machine::State state_after(machine::Stepper& stepper, const machine::State& state, std::size_t role,
                           machine::Move move);

}  // namespace zermelo::solve
