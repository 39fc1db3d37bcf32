// The user against the program.
#pragma once

#include <cstdint>
#include <string>

#include "app/context.h"
#include "app/players.h"
#include "play/hidden_game.h"
#include "play/interactive_game.h"

namespace zermelo::app {

struct PlayRequest {
  Rules rules;
  std::string role = {};     // of the user; empty: the first
  play::AgentSpec opponent;  // plays all other roles, and gives hints
  std::string values = {};   // folder of a stored solution; empty: moves have no values
  std::uint64_t seed = 1;
  ResourceLimits limits = {};
};

// Makes a game in its initial state. The opponents ponder while the user thinks, unless they have a
// fixed number of simulations, so that games can be reproduced. Fails with invalid_request if the
// game has no such role, and if the opponent cannot play the game.
base::Result<play::InteractiveGame> start_game(const PlayRequest& request,
                                               const Context& context = {});
// The same for games with hidden information (GDL-II). Also fails with not_applicable for stored
// values, which such games do not have.
base::Result<play::HiddenGame> start_hidden_game(const PlayRequest& request,
                                                 const Context& context = {});

}  // namespace zermelo::app
