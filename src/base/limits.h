// How much time and memory an operation may take. Reaching a limit is an ordinary outcome: the
// operation asks `exceeded` now and then and returns the error to its caller.
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

  // No limit at all.
  Limits() = default;
  // Time counts from now; memory is the resident size of the whole process.
  Limits(std::optional<std::chrono::duration<double>> time,
         std::optional<std::size_t> memory_bytes);

  // Makes the operation end, as by the limit of time, once `asked` says so. It is asked by
  // whoever asks `exceeded`, so by several threads if the operation has them.
  void end_when(std::function<bool()> asked) { asked_ = std::move(asked); }

  // The limit that has been passed, if any. Reads the process's memory size: a few microseconds, so
  // ask every few thousand steps.
  std::optional<ErrorKind> exceeded() const;

 private:
  std::optional<Clock::time_point> deadline_;
  std::optional<std::size_t> memory_bytes_;
  std::function<bool()> asked_;
};

// The resident memory of this process in bytes.
std::size_t resident_bytes();

}  // namespace zermelo::base
