// Limits on a search for proofs: a time of its own, and the caller's limits. Proofs found before a
// limit are kept. The time is processor time of the searching thread, so that the result depends
// little on the load of the machine.
#pragma once

#include <chrono>
#include <optional>

#include "base/limits.h"

namespace zermelo::analysis {

class ProofLimits {
 public:
  // No limit at all.
  ProofLimits() = default;
  // Time counts from now, for the calling thread.
  explicit ProofLimits(std::chrono::duration<double> seconds, base::Limits limits = {});
  // The caller's limits only.
  explicit ProofLimits(base::Limits limits);

  // Returns the exceeded limit, if any; from then on always the same one. Cheap enough to call for
  // every rule: the limits need system calls and are checked only every few milliseconds.
  std::optional<base::ErrorKind> exceeded();

 private:
  using Clock = base::Limits::Clock;

  std::chrono::duration<double> end_ =
      std::chrono::duration<double>::max();  // of the thread's processor time
  base::Limits limits_;
  Clock::time_point next_look_ = Clock::time_point::min();
  std::optional<base::ErrorKind> exceeded_;
};

}  // namespace zermelo::analysis
