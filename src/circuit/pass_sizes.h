// What each pass of the ground program optimiser saves.
#pragma once

#include <string>
#include <vector>

#include "circuit/game_circuit.h"
#include "ground/game.h"

namespace zermelo::circuit {

struct PassSize {
  std::string pass;  // by its file; "rules" before the first
  GameCircuit::Size size;
};

// The circuit's size after each pass, those before it included. Takes as long as building the
// circuit six times.
std::vector<PassSize> pass_sizes(const ground::Game& game);

}  // namespace zermelo::circuit
