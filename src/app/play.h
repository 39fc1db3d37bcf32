// A person against the program.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/players.h"
#include "play/interactive_game.h"

namespace zermelo::app {

struct PlayRequest {
  Rules rules;
  std::string role = {};     // of the person; empty: the first
  play::AgentSpec opponent;  // plays all other roles, and gives hints
  std::string values = {};   // folder of a stored solution; empty: moves have no values
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

// Makes a game in its initial state. The opponents think while the person does, unless they were
// given a number of simulations, with which games can be repeated. Fails with invalid_request where
// the game has no such role, and where the opponent cannot play the game.
base::Result<play::InteractiveGame> start_game(const PlayRequest& request,
                                               const Context& context = {});

}  // namespace zermelo::app
