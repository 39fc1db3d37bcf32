// Fluents that run by themselves with a short period: one circuit per phase.
#pragma once

#include <vector>

#include "circuit/game_circuit.h"
#include "ground/game.h"

namespace zermelo::circuit {

// The values of fluents that run by themselves with a short period, phase by phase; a single phase
// with nothing fixed where there are none.
std::vector<FixedFluents> find_phases(const ground::Game& game, const GameCircuit& whole);

}  // namespace zermelo::circuit
