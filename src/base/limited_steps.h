// Limits for loops whose functions cannot return errors: reaching a limit throws. The module that
// starts such a loop catches the exception with `within_limits`, so that its callers get a Result.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "base/limits.h"

namespace zermelo::base {

class LimitReached : public std::exception {
 public:
  // `activity` says what was being done: "grounding".
  LimitReached(ErrorKind kind, const std::string& activity)
      : kind_(kind),
        message_((kind == ErrorKind::time_limit ? "time limit reached while "
                                                : "memory limit reached while ") +
                 activity) {}
  // Another reason for which the work cannot continue.
  explicit LimitReached(Error error) : kind_(error.kind), message_(std::move(error.message)) {}

  ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
};

class LimitedSteps {
 public:
  explicit LimitedSteps(Limits limits = {}, const char* activity = "evaluating the rules")
      : limits_(std::move(limits)), activity_(activity) {}

  // Counts steps. Checks the limits every few thousand steps and throws LimitReached if one is
  // exceeded.
  void take(std::size_t steps = 1) {
    taken_ += steps;
    if (taken_ >= check_interval) check(0);
  }

  // Call it before allocating a large block. Throws LimitReached if a limit is exceeded, or would
  // be with so many more bytes.
  void check(std::size_t more_bytes) {
    taken_ = 0;
    if (const auto exceeded = limits_.exceeded(more_bytes))
      throw LimitReached(*exceeded, activity_);
  }

 private:
  static constexpr std::size_t check_interval = 4096;

  Limits limits_;
  const char* activity_;
  std::size_t taken_ = 0;
};

// Returns the value of make(), or the limit that it reached as an error.
template <class Make>
auto within_limits(Make make) -> Result<std::invoke_result_t<Make>> {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Make>>) {
      make();
      return {};
    } else {
      return make();
    }
  } catch (const LimitReached& reached) {
    return fail(reached.kind(), reached.what());
  }
}

}  // namespace zermelo::base
