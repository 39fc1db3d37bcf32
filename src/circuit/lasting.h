// Lasting facts: fluents that never change, and fluents that stay true or stay false.
#pragma once

#include <vector>

#include "circuit/game_circuit.h"
#include "ground/game.h"

namespace zermelo::circuit {

// Valid in all reachable states.
struct LastingFacts {
  FixedFluents constant;          // fluents that never change
  std::vector<bool> stays_true;   // by fluent, false for those that never change
  std::vector<bool> stays_false;  // likewise
  std::size_t lasting_gates = 0;  // conditions on the state that stay once they hold
};

// `whole` is the game's circuit with no fluent fixed.
LastingFacts find_lasting(const ground::Game& game, const GameCircuit& whole);

}  // namespace zermelo::circuit
