// Networks that learn to evaluate the states of a game.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"
#include "eval/network/game_network.h"

namespace zermelo::app {

struct TrainRequest {
  Rules rules;
  std::string file;         // of the network; one that exists is trained further
  std::string values = {};  // folder of the solution, whose exact values are learned; empty: none
  // Of a new network. For one that is trained further they must not differ from its own.
  std::optional<std::size_t> hidden = {};
  std::optional<eval::network::Start> start = {};
  std::optional<std::uint64_t> seed = {};
  // The number of games to play, rounded up to whole rounds. Without it, only the time ends
  // training.
  std::optional<std::uint64_t> games = {};
  // The time is that of training. Without it and `games`: one minute.
  ResourceLimits limits = {};
};

struct TrainResult {
  std::string file;
  bool resumed = false;
  double seconds = 0;                      // of all training of this network
  std::uint64_t games = 0, positions = 0;  // of all training of this network
  double positions_per_second = 0;         // of this run
  std::vector<eval::network::LearningCurve::Point> curve;
  std::optional<base::Error> stopped = {};  // if it was cancelled or reached the memory limit
};

// Trains and writes the network; what was learned is written every half a minute, and at the end
// also after cancellation. The time limit is an ordinary end. Fails with not_applicable for games
// without networks and for a file of another game, with unreadable_input for a file that is no
// network, with invalid_request if it has other options, with unwritable_output, and at a limit
// before training has begun.
base::Result<TrainResult> train(const TrainRequest& request, const Context& context = {});

}  // namespace zermelo::app
