// Autonomous fluents with a short period are constants in the circuit of each phase.
#pragma once

#include <vector>

#include "circuit/autonomous.h"
#include "circuit/game_circuit.h"

namespace zermelo::circuit {

// By phase, the values of autonomous fluents with a short period and of fluents that never change.
// There is at least one phase.
std::vector<FixedFluents> find_phases(const AutonomousFluents& autonomous,
                                      const FixedFluents& constant);

}  // namespace zermelo::circuit
