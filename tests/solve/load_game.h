// Games for the tests of solving, ready to step.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "families/families.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "solve/explicit.h"
#include "support/load.h"

namespace zermelo::solve {

using MachinePointer = std::shared_ptr<const machine::Machine>;

inline MachinePointer machine_of(std::shared_ptr<const gdl::Rulesheet> rulesheet) {
  auto game = ground::ground(std::move(rulesheet));
  if (!game) throw std::runtime_error(game.error().message);
  return std::make_shared<const machine::Machine>(std::move(*game));
}

inline MachinePointer from_text(const std::string& text) {
  return machine_of(testing::rulesheet(text));
}

inline MachinePointer shipped(const std::string& name) {
  return machine_of(testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif"));
}

inline MachinePointer generated(const std::string& family, const std::vector<std::string>& sizes) {
  return from_text(families::generate(family, sizes).value());
}

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
