// Games for tests, from families, files and text, ready to step.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "families/families.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"

namespace zermelo::testing {

using MachinePointer = std::shared_ptr<const machine::Machine>;

inline MachinePointer machine_of(std::shared_ptr<const gdl::Rulesheet> rulesheet) {
  auto game = ground::ground(std::move(rulesheet));
  if (!game) throw std::runtime_error(game.error().message);
  return std::make_shared<const machine::Machine>(std::move(*game));
}

inline MachinePointer from_text(const std::string& text) {
  return machine_of(testing::rulesheet(text));
}

inline MachinePointer shipped(const std::string& name) { return machine_of(shipped_rules(name)); }

inline MachinePointer generated(const std::string& family, const std::vector<std::string>& sizes) {
  return from_text(families::generate(family, sizes).value());
}

}  // namespace zermelo::testing
