// One circuit for all phases of a game: equal parts of phases, loops included, are there once.
//
// Instead of the next value of a fluent there are two conditions: it holds and will not, and it
// does not hold and will. Within each the fluent's own value is known, and what it implies is left
// out. Frame rules disappear by this: as long as no move is made both conditions are false whether
// the fluent holds or not, and nothing that depends on moves is evaluated when it flips.
#pragma once

#include <vector>

#include "circuit/game_circuit.h"

namespace zermelo::machine {

struct StepUnion {
  struct PhaseWires {
    std::vector<circuit::Wire> legal;     // by move
    std::vector<circuit::Wire> turns_on;  // by fluent; false where it is fixed
    std::vector<circuit::Wire> turns_off;
    std::vector<circuit::GameCircuit::Goal> goals;
    circuit::Wire terminal = circuit::always_false;
  };

  circuit::Circuit circuit;
  std::vector<circuit::Wire> fluents;  // inputs, of all fluents and moves
  std::vector<circuit::Wire> does;
  std::vector<circuit::Loop> loops;  // a loop only reads loops before it
  std::vector<PhaseWires> phases;
};

// The circuits are of the same game, one per phase.
// Throws base::LimitReached at a limit.
StepUnion unite_phases(const circuit::Circuits& phases, const base::Limits& limits);

}  // namespace zermelo::machine
