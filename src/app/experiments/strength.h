// How often players keep the value of random positions of a solved game.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"
#include "play/agent.h"
#include "play/strength.h"

namespace zermelo::app {

struct StrengthRequest {
  Rules rules;
  std::string values;                    // folder of the stored solution
  std::vector<play::AgentSpec> players;  // at least one
  std::size_t positions = 200;
  std::uint64_t seed = 1;
};

// UCT at 0.1 s, plain and with each variant.
std::vector<std::string> usual_players();

struct StrengthStudy {
  struct Player {
    std::string name;
    play::Strength strength;
  };

  std::size_t positions = 0;
  std::size_t decisive = 0;  // positions in which some move loses value
  std::vector<Player> players;
  std::optional<base::Error> stopped = {};  // if it was cancelled: players are missing
};

// Fails if the values do not cover the game or a player cannot play it, and with time_limit if it
// is cancelled before a player was measured.
base::Result<StrengthStudy> study_strength(const StrengthRequest& request,
                                           const Context& context = {});

}  // namespace zermelo::app
