// How long a search for proofs may go on: for a time of its own, and within the caller's limits.
// What is proved until then is kept. Its own time is processor time of the thread that searches, so
// that what is proved depends little on what else the machine does.
#pragma once

#include <chrono>
#include <optional>

#include "base/limits.h"

namespace zermelo::analysis {

class ProofLimits {
 public:
  // No limit at all.
  ProofLimits() = default;
  // Time counts from now, for the thread that asks.
  explicit ProofLimits(std::chrono::duration<double> seconds, base::Limits limits = {});
  // The caller's alone.
  explicit ProofLimits(base::Limits limits);

  // The limit that has been passed; once there is one, it stays. May be asked for every rule: the
  // limits take system calls and are looked at every few milliseconds only.
  std::optional<base::ErrorKind> exceeded();

 private:
  using Clock = base::Limits::Clock;

  std::chrono::duration<double> end_ =
      std::chrono::duration<double>::max();  // of the thread's time
  base::Limits limits_;
  Clock::time_point next_look_ = Clock::time_point::min();
  std::optional<base::ErrorKind> exceeded_;
};

}  // namespace zermelo::analysis
