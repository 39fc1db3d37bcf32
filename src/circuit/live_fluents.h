// The live fluents: those that legal moves, goals or termination depend on.
#pragma once

#include <vector>

#include "circuit/game_circuit.h"

namespace zermelo::circuit {

// The fluents that legal, goals and terminal depend on, directly or over time; ascending. `whole`
// is the game's circuit with no fluent fixed.
std::vector<ground::Atom> find_live(const GameCircuit& whole);

}  // namespace zermelo::circuit
