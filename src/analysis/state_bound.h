// A lower bound on the number of states, estimated from how rarely random games revisit a state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "machine/machine.h"

namespace zermelo::analysis {

struct StateBoundOptions {
  std::uint64_t max_games = 400'000;
  std::size_t max_depth = 1'000;  // of a game
  std::chrono::duration<double> seconds{2};
  double doubt = 0.001;  // probability that the bound is wrong
  std::uint64_t seed = 1;
  base::Limits limits = {};
};

struct StateBound {
  double states = 1;
  std::uint64_t games = 0;  // number of games played
};

StateBound bound_states(std::shared_ptr<const machine::Machine> machine,
                        const StateBoundOptions& options = {});

// Returns a lower bound on the number of values of a random variable, if `repeated` of its first
// `samples` values occurred before.
double min_values(std::uint64_t samples, std::uint64_t repeated, double doubt);

}  // namespace zermelo::analysis
