// The error of a game that cannot be solved because of one of its states.
#pragma once

#include <string>

#include "base/result.h"
#include "ground/game.h"
#include "machine/machine.h"

namespace zermelo::solve {

// The message is the problem followed by the state.
inline base::Error refused_state(std::string problem, const machine::State& state,
                                 const ground::Game& game) {
  problem += ":";
  state.for_each(
      [&](std::size_t f) { problem += " " + game.fluent_name(static_cast<ground::Atom>(f)); });
  return {base::ErrorKind::not_applicable, std::move(problem)};
}

}  // namespace zermelo::solve
