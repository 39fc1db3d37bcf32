// Fluents that run by themselves with a short period: constants in the circuit of each phase.
#pragma once

#include <vector>

#include "circuit/autonomous.h"
#include "circuit/game_circuit.h"

namespace zermelo::circuit {

// The values of fluents that run by themselves with a short period, phase by phase, added to those
// of fluents that never change. There is always one phase at least.
std::vector<FixedFluents> find_phases(const AutonomousFluents& autonomous,
                                      const FixedFluents& constant);

}  // namespace zermelo::circuit
