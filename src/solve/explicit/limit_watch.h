// Asks for the limits now and then in long loops, which then run out quickly; whoever started them
// asks once whether there was one.
#pragma once

#include <cstdint>
#include <optional>

#include "base/limits.h"

namespace zermelo::solve {

class LimitWatch {
 public:
  explicit LimitWatch(const base::Limits& limits) : limits_(limits) {}

  // For every step of a loop.
  bool stopped() { return ++steps_ % interval == 0 ? stopped_now() : limit_.has_value(); }
  // Before much memory is taken.
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
