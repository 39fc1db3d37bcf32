// Limits for an evaluation whose functions cannot return errors: reaching a limit throws.
#pragma once

#include <cstddef>
#include <exception>
#include <utility>

#include "base/limits.h"

namespace zermelo::reference {

class LimitReached : public std::exception {
 public:
  explicit LimitReached(base::ErrorKind kind) : kind_(kind) {}

  base::ErrorKind kind() const { return kind_; }
  const char* what() const noexcept override {
    return kind_ == base::ErrorKind::time_limit ? "time limit reached while evaluating the rules"
                                                : "memory limit reached while evaluating the rules";
  }

 private:
  base::ErrorKind kind_;
};

class LimitedSteps {
 public:
  explicit LimitedSteps(base::Limits limits = {}) : limits_(std::move(limits)) {}

  // Counts steps. Checks the limits every few thousand steps and throws LimitReached if one is
  // exceeded.
  void take(std::size_t steps = 1) {
    taken_ += steps;
    if (taken_ >= check_interval) check_limits();
  }

 private:
  static constexpr std::size_t check_interval = 4096;

  void check_limits() {
    taken_ = 0;
    if (const auto exceeded = limits_.exceeded()) throw LimitReached(*exceeded);
  }

  base::Limits limits_;
  std::size_t taken_ = 0;
};

}  // namespace zermelo::reference
