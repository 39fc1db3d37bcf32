// Limits of an evaluation that has no place for an error among its results: reaching one is thrown.
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
    return kind_ == base::ErrorKind::time_limit
               ? "the time limit was reached while evaluating the rules"
               : "the memory limit was reached while evaluating the rules";
  }

 private:
  base::ErrorKind kind_;
};

class LimitedSteps {
 public:
  explicit LimitedSteps(base::Limits limits = {}) : limits_(std::move(limits)) {}

  // Throws LimitReached where a limit has been passed, which is asked every few thousand steps.
  void take(std::size_t steps = 1) {
    taken_ += steps;
    if (taken_ >= between_looks) look();
  }

 private:
  static constexpr std::size_t between_looks = 4096;

  void look() {
    taken_ = 0;
    if (const auto exceeded = limits_.exceeded()) throw LimitReached(*exceeded);
  }

  base::Limits limits_;
  std::size_t taken_ = 0;
};

}  // namespace zermelo::reference
