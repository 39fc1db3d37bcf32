// How long a search for proofs may go on: for a time of its own, and within the caller's limits.
// What is proved until then is kept.
#pragma once

#include <chrono>
#include <optional>

#include "base/limits.h"

namespace zermelo::analysis {

class ProofLimits {
 public:
  // No limit at all.
  ProofLimits() = default;
  // Time counts from now.
  explicit ProofLimits(std::chrono::duration<double> seconds, base::Limits limits = {});

  // The limit that has been passed; once there is one, it stays. May be asked for every rule: the
  // caller's limits, which take system calls, are looked at every few milliseconds only.
  std::optional<base::ErrorKind> exceeded();

 private:
  using Clock = base::Limits::Clock;

  Clock::time_point end_ = Clock::time_point::max();
  base::Limits limits_;
  Clock::time_point next_look_ = Clock::time_point::min();  // at the caller's limits
  std::optional<base::ErrorKind> exceeded_;
};

}  // namespace zermelo::analysis
