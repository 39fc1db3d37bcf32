// Limits for loops whose steps take nanoseconds in one game and seconds in another, such as the
// steps of an engine. The number of steps between two checks follows the time that they take.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

#include "base/limits.h"

namespace zermelo::base {

class PacedLimits {
 public:
  // The limits must outlive this.
  explicit PacedLimits(const Limits& limits) : limits_(limits) {}

  // Call it once per step. Returns the exceeded limit, if any; from then on always the same one.
  const std::optional<ErrorKind>& exceeded() {
    if (++steps_ >= interval_ && !exceeded_) check();
    return exceeded_;
  }

 private:
  static constexpr std::uint32_t longest_interval = 4096;

  void check() {
    using namespace std::chrono_literals;
    const Limits::Clock::time_point now = Limits::Clock::now();
    const auto taken = now - last_check_;
    if (taken > 4ms) interval_ = std::max<std::uint32_t>(interval_ / 4, 1);
    if (taken < 1ms) interval_ = std::min(interval_ * 2, longest_interval);
    last_check_ = now;
    steps_ = 0;
    exceeded_ = limits_.exceeded();
  }

  const Limits& limits_;
  std::optional<ErrorKind> exceeded_;
  Limits::Clock::time_point last_check_ = Limits::Clock::now();
  std::uint32_t steps_ = 0;
  std::uint32_t interval_ = 1;
};

}  // namespace zermelo::base
