// Polls the limits regularly in long loops. The loops end early at a limit, and the caller checks
// once afterwards whether one was reached.
#pragma once

#include <cstdint>
#include <optional>

#include "base/limits.h"

namespace zermelo::solve {

class LimitWatch {
 public:
  explicit LimitWatch(const base::Limits& limits) : limits_(limits) {}

  // To be called at every step of a loop.
  bool stopped() { return ++steps_ % interval == 0 ? stopped_now() : limit_.has_value(); }
  // To be called before large allocations.
  bool stopped_now() {
    if (!limit_) limit_ = limits_.exceeded();
    return limit_.has_value();
  }
  const std::optional<base::ErrorKind>& limit() const { return limit_; }

 private:
  static constexpr std::uint64_t interval = 1 << 14;

  const base::Limits& limits_;
  std::optional<base::ErrorKind> limit_;
  std::uint64_t steps_ = 0;
};

}  // namespace zermelo::solve
