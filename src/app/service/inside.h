// What is inside a game: its facts, fluents, moves, rule dependencies and the layers of its
// solution.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/describe.h"
#include "app/service/open_game.h"

namespace zermelo::app {

struct InsideView {
  struct Layer {
    std::string states, terminal;       // in decimal digits
    std::vector<std::string> by_value;  // by outcome
    std::uint64_t nodes = 0;
  };

  GameDescription description;
  std::vector<std::string> roles;
  std::vector<std::string> fluents;             // all names, sorted; at most max_names
  std::vector<std::vector<std::string>> moves;  // by role; at most max_names
  std::string dependencies;                     // an SVG picture; empty if it would be too large
  std::vector<solve::Rewards> outcomes;         // of the solution
  std::vector<Layer> layers;                    // empty if the game is not solved

  static constexpr std::size_t max_names = 2'000;
};

// Fails if the game cannot be grounded within the limits.
base::Result<InsideView> look_inside(const OpenGame& game, const ResourceLimits& limits,
                                     const Context& context = {});

}  // namespace zermelo::app
