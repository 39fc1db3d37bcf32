// Games for the tests of solving, ready to step, and their explicit solutions.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>

#include "solve/explicit/explicit_solver.h"
#include "support/load_game.h"

namespace zermelo::solve {

using testing::from_text;
using testing::generated;
using testing::machine_of;
using testing::MachinePointer;
using testing::shipped;

// Throws when the game cannot be solved.
inline ExplicitSolution solved(const MachinePointer& machine,
                               OpponentModel model = OpponentModel::own) {
  return solve_explicit(machine, {model, {}}).value();
}

// The error of a game that cannot be solved.
inline base::Error refusal(const MachinePointer& machine, const base::Limits& limits = {}) {
  auto solution = solve_explicit(machine, {OpponentModel::own, limits});
  if (solution) throw std::runtime_error("the game was solved");
  return solution.error();
}

}  // namespace zermelo::solve
