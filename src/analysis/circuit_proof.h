// Proofs that two conditions of a circuit are equal.
#pragma once

#include "analysis/proof_limits.h"
#include "circuit/game_circuit.h"

namespace zermelo::analysis {

// Whether the two conditions have the same value for all values of the inputs. Recursive conditions
// count as inputs. False if that is not so, and if the proof takes more than some ten thousand
// conflicts or reaches a limit.
bool are_proved_equal(const circuit::GameCircuit& game, circuit::Wire a, circuit::Wire b,
                      ProofLimits& limits);

}  // namespace zermelo::analysis
