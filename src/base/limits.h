// Limits on the time and memory of an operation. Reaching a limit is an ordinary outcome: the
// operation polls `exceeded` regularly and returns the error to its caller.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "base/result.h"

namespace zermelo::base {

class Limits {
 public:
  using Clock = std::chrono::steady_clock;

  // No limits.
  Limits() = default;
  // Time is measured from construction. Memory is the resident size of the whole process.
  Limits(std::optional<std::chrono::duration<double>> time,
         std::optional<std::size_t> memory_bytes);

  // The same limits, of which the time limit is reached after so long from now at the latest.
  Limits within(std::chrono::duration<double> time) const;

  // Once `stop_requested` returns true, `exceeded` reports the time limit. Every thread that calls
  // `exceeded` calls `stop_requested`.
  void end_when(std::function<bool()> stop_requested) {
    stop_requested_ = std::move(stop_requested);
  }

  // Returns the limit that has been exceeded, if any. It reads the memory size of the process,
  // which takes a few microseconds, so call it once per few thousand steps. With `more_bytes` it
  // returns the limit that would be exceeded if the process used so much more memory.
  std::optional<ErrorKind> exceeded(std::size_t more_bytes = 0) const;

  // The time until the time limit is reached, not negative; nullopt if there is no such limit.
  std::optional<std::chrono::duration<double>> time_left() const;

 private:
  std::optional<Clock::time_point> deadline_;
  std::optional<std::size_t> memory_bytes_;
  std::function<bool()> stop_requested_;
};

// The current resident memory of this process.
std::size_t resident_bytes();

}  // namespace zermelo::base
