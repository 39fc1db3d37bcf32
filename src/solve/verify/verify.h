// Checks a solution folder against the rules.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace zermelo::solve {

struct VerifyOptions {
  std::uint64_t exhaustive_up_to = 3'000'000;  // with more states, a sample is checked
  std::uint64_t sample = 200'000;              // the approximate size of the sample
  std::uint64_t seed = 1;
  std::size_t max_failures = 20;  // described in the result
  base::Limits limits;
};

// Best responses to the stored strategies of a game with hidden information.
struct StrategyCheck {
  std::vector<std::string> players;
  // By player, what its strategy secures, and what it gets at most against the other's.
  std::vector<double> low, high;
  std::uint64_t rounds = 0, worlds = 0, decisions = 0;

  double exploitability() const { return (high[0] - low[0]) / 2; }
};

struct Verification {
  std::string states;        // in the folder, each counted once, in decimal digits
  std::string layer_states;  // the sum of the states of all layers, in decimal digits
  std::uint64_t states_checked = 0;
  bool exhaustive = false;  // whether all states were checked
  bool cyclic = false;      // whether states can repeat
  // Only for games with hidden information; the states checked are then worlds.
  std::optional<StrategyCheck> strategies = {};
  std::uint64_t failures_found = 0;
  std::vector<std::string> failures;  // descriptions of the first ones

  bool ok() const { return failures_found == 0; }
};

// Fails with unreadable_input if there is no finished solution, and with the limit that is reached.
// Damage is reported as a failure, not as an error.
base::Result<Verification> verify(const std::filesystem::path& folder,
                                  const VerifyOptions& options = {});

}  // namespace zermelo::solve
