// Random games: how fast they are played and how they end.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/playout_engine.h"
#include "machine/playouts.h"

namespace zermelo::app {

struct PlayoutsRequest {
  Rules rules;
  std::optional<std::uint64_t> count = {};  // without count and seconds: play for one second
  std::optional<std::chrono::duration<double>> seconds = {};
  std::uint64_t seed = 1;
  PlayoutEngine engine = PlayoutEngine::sliced;
  std::optional<unsigned> threads = {};  // of the sliced engines; nullopt: all cores
  ResourceLimits limits = {};
};

struct PlayoutStatistics {
  PlayoutEngine engine = PlayoutEngine::sliced;
  std::size_t lanes = 1;  // parallel games in one thread
  std::vector<std::string> roles;
  machine::PlayoutResult totals;
  double processor_seconds = 0;             // of all threads, while playing
  std::optional<base::Error> stopped = {};  // the limit that ended play

  double playouts_per_second() const { return per_second(totals.playouts); }
  double states_per_second() const { return per_second(totals.states); }

 private:
  double per_second(std::uint64_t number) const {
    return totals.seconds > 0 ? static_cast<double>(number) / totals.seconds : 0;
  }
};

// Fails if the engine cannot play the game, and at a limit before play has begun.
base::Result<PlayoutStatistics> play_randomly(const PlayoutsRequest& request,
                                              const Context& context = {});

}  // namespace zermelo::app
