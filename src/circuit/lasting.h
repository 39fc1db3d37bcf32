// How long facts last: what never changes, and what once it holds, or once it does not, stays so.
#pragma once

#include <vector>

#include "circuit/game_circuit.h"
#include "ground/game.h"

namespace zermelo::circuit {

// About all states that are reachable from the initial one.
struct LastingFacts {
  FixedFluents constant;          // fluents that never change
  std::vector<bool> stays_true;   // by fluent, those that never change not counted
  std::vector<bool> stays_false;  // likewise
  std::size_t lasting_gates = 0;  // conditions on the state that stay once they hold
};

// `whole` is the game's circuit with no fluent fixed.
LastingFacts find_lasting(const ground::Game& game, const GameCircuit& whole);

}  // namespace zermelo::circuit
