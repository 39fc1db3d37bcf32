// At least how many states a game has, from random games that seldom met a state twice.
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
  double doubt = 0.001;  // how likely the bound may be wrong
  std::uint64_t seed = 1;
};

struct StateBound {
  double states = 1;
  std::uint64_t games = 0;  // that were played
};

StateBound bound_states(std::shared_ptr<const machine::Machine> machine,
                        const StateBoundOptions& options = {});

// At least how many values a random variable has, `repeated` of whose first `samples` values were
// there before.
double fewest_values(std::uint64_t samples, std::uint64_t repeated, double doubt);

}  // namespace zermelo::analysis
