// Moves as Python gives and takes them: by number or by name, for the role to move or for all.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "python/game.h"

namespace zermelo::python {

using Joint = std::vector<machine::Move>;

// A list of the ranks of moves.
pybind11::object ranks_of(const Game& game, std::span<const machine::Move> moves);
std::vector<std::string> names_of(const Game& game, std::span<const machine::Move> moves);

// The legal moves of a role, by default of the role to move; none in a terminal state. Throws
// Failure if there is no such role, or none that is to move alone.
std::span<const machine::Move> legal_of(const Game& game, Position& position,
                                        const std::optional<std::int64_t>& role);
// A legal joint move: one move for the role to move, or one for each role. Throws Failure.
Joint joint_of(const Game& game, Position& position, const pybind11::args& moves);

// The rewards by role, or None if the game is not over.
pybind11::object rewards_at(Position& position);

}  // namespace zermelo::python
