// Whose turn it is, for those who list moves.
#pragma once

#include <cstddef>
#include <vector>

#include "ground/game.h"
#include "machine/machine.h"

namespace zermelo::solve {

// By move, whether the next state is defined by means of it.
std::vector<bool> moves_with_effect(const ground::Game& game);

// The role whose moves are listed: the one that decides; where nobody does, the first that does not
// just wait. Requires legal moves of every role, and a state in which not several decide.
std::size_t listed_role(machine::Stepper& stepper, const machine::State& state,
                        const std::vector<std::vector<machine::Move>>& legal);

}  // namespace zermelo::solve
