// The size of the circuit after each pass of the optimiser.
#pragma once

#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/compiled_game.h"
#include "circuit/game_circuit.h"

namespace zermelo::circuit {

struct PassSize {
  std::string pass;  // the name of its file; "rules" before the first
  GameCircuit::Size size;
};

// The circuit's size after each pass, applied in order. Builds the circuit four times, and the
// parts of the compiled game that do not exist yet. Fails at a limit that is reached while building
// those.
base::Result<std::vector<PassSize>> pass_sizes(const CompiledGame& compiled,
                                               const base::Limits& limits = {});

}  // namespace zermelo::circuit
