// A reduction of the state space: equivalent states count as one.
#pragma once

#include <cstddef>

#include "machine/machine.h"

namespace zermelo::solve {

// Maps states to representatives of their equivalence classes. Equivalent states are both terminal
// with the same rewards, or neither is; then the same role decides in both, and every successor of
// one is equivalent to a successor of the other. So they have the same value. Both are after the
// same number of steps modulo the number of phases (circuit/phases.h).
class StateReduction {
 public:
  virtual ~StateReduction() = default;
  // Replaces the state by the representative of its class. Not to be called by two threads at once.
  virtual void reduce(machine::State& state) = 0;
};

}  // namespace zermelo::solve
