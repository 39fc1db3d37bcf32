// One circuit for all phases of a game, in which equal parts of phases, including loops, are
// shared.
//
// Instead of the next value of a fluent there are two conditions: it holds and will not hold next,
// and it does not hold and will hold next. In each, the fluent's own value is known and used to
// simplify. This removes frame rules: while no move is made, both conditions are false whether the
// fluent holds or not, and nothing that depends on moves is evaluated when it flips.
#pragma once

#include <vector>

#include "circuit/game_circuit.h"

namespace zermelo::machine {

struct StepUnion {
  struct PhaseWires {
    std::vector<circuit::Wire> legal;     // by move
    std::vector<circuit::Wire> turns_on;  // by fluent; false if it is fixed
    std::vector<circuit::Wire> turns_off;
    std::vector<circuit::GameCircuit::Goal> goals;
    circuit::Wire terminal = circuit::always_false;
    std::vector<circuit::Wire> sees;  // by percept, in the program of percepts
  };

  circuit::Circuit circuit;
  std::vector<circuit::Wire> fluents;  // inputs, of all fluents and moves
  std::vector<circuit::Wire> does;
  std::vector<circuit::Loop> loops;  // a loop only reads loops before it
  std::vector<PhaseWires> phases;
};

// Requires the circuits of one game, one per phase. Throws base::LimitReached at a limit.
StepUnion unite_phases(const circuit::Circuits& phases, const base::Limits& limits);

}  // namespace zermelo::machine
