// Checks a solution folder against the rules alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace zermelo::solve {

struct VerifyOptions {
  std::uint64_t exhaustive_up_to = 3'000'000;  // states; of more, a sample is checked
  std::uint64_t sample = 200'000;              // states to check then
  std::uint64_t seed = 1;
  std::size_t max_failures = 20;  // to describe
  base::Limits limits;
};

struct Verification {
  std::string states;        // in the folder, each counted once, in decimal digits
  std::string layer_states;  // the sum of the states of all layers, in decimal digits
  std::uint64_t states_checked = 0;
  bool exhaustive = false;  // whether all were
  bool cyclic = false;      // whether a state can occur again
  std::uint64_t failures_found = 0;
  std::vector<std::string> failures;  // the first of them, a sentence each

  bool ok() const { return failures_found == 0; }
};

// Fails with unreadable_input where there is no finished solution, and with a limit. Damage is not
// an error but a failure.
base::Result<Verification> verify(const std::filesystem::path& folder,
                                  const VerifyOptions& options = {});

}  // namespace zermelo::solve
