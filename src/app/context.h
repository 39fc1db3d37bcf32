// What every request of this module has besides its own fields: progress reports and cancellation.
//
// A function of `app` takes a request struct and a Context and returns a Result of a result struct.
// It prints nothing, ends no process and reads no terminal; `app/json.h` turns results into JSON.
//
//   app::CountRequest request{.rules = rules, .limits = {.time = 60s}};
//   const auto result = app::count(request, {.progress = show, .stop = source.get_token()});
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "base/error_name.h"
#include "base/limits.h"

namespace zermelo::app {

struct Context {
  // Receives short descriptions of the current activity, from one thread at a time. May be empty.
  std::function<void(std::string)> progress = {};
  // A request that is cancelled ends as if its time limit had been reached.
  std::stop_token stop = {};

  void report(std::string activity) const {
    if (progress) progress(std::move(activity));
  }
};

// The limits of a request. Without `memory_bytes` three quarters of the machine's memory is used.
struct ResourceLimits {
  std::optional<std::size_t> memory_bytes = {};
  std::optional<std::chrono::duration<double>> time = {};
  // Since when the time counts; without it, since `start` is called.
  std::optional<base::Limits::Clock::time_point> since = {};

  // The memory limit in bytes, whether given or not.
  std::size_t memory() const;
  // The part of the memory limit that the process does not use yet, but at least a sixteenth of it.
  std::size_t memory_left() const;
  // Limits that also end when `context` is cancelled.
  base::Limits start(const Context& context) const;
  // The same without the memory limit, for work whose parts respect shares of it.
  base::Limits start_time(const Context& context) const;
};

}  // namespace zermelo::app
