// What each pass of the ground program optimiser saves.
#pragma once

#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/compiled_game.h"
#include "circuit/game_circuit.h"

namespace zermelo::circuit {

struct PassSize {
  std::string pass;  // by its file; "rules" before the first
  GameCircuit::Size size;
};

// The circuit's size after each pass, those before it included. Builds the circuit four times, and
// whatever the compiled game has not made yet. Fails at a limit that is reached while making that.
base::Result<std::vector<PassSize>> pass_sizes(const CompiledGame& compiled,
                                               const base::Limits& limits = {});

}  // namespace zermelo::circuit
