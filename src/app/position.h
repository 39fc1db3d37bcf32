// Positions as a user gives them: by the moves that lead to them, or by their fluents.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"

namespace zermelo::app {

struct Position {
  machine::State state;
  std::size_t moves = 0;  // that were made; 0 if only the fluents are known
  std::vector<std::vector<machine::Move>> joints = {};  // the joint moves that were made
};

// The position after moves, one per step, by the player to move; empty: the initial state. If
// several roles decide at the same time, a step has one move for each of them, in the order of the
// roles. Fails
// with invalid_request for a text that is not a list of terms, with not_applicable for a move that
// is not legal, and at a limit.
base::Result<Position> position_after(std::shared_ptr<const machine::Machine> machine,
                                      const std::string& moves, const base::Limits& limits);

// The position in which exactly these fluents hold. Fails with invalid_request like
// position_after, and with not_applicable for an unknown fluent.
base::Result<Position> position_of(const machine::Machine& machine, const std::string& fluents);

}  // namespace zermelo::app
