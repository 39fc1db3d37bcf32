#include "app/context.h"

#include <unistd.h>

#include <algorithm>

namespace zermelo::app {
namespace {

std::size_t default_memory_bytes() {
  const auto pages = static_cast<std::size_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / 4 * 3;
}

base::Limits cancellable(base::Limits limits, const Context& context) {
  if (context.stop.stop_possible()) {
    limits.end_when([stop = context.stop] { return stop.stop_requested(); });
  }
  return limits;
}

std::optional<std::chrono::duration<double>> time_left(const ResourceLimits& limits) {
  if (!limits.time || !limits.since) return limits.time;
  return *limits.time - (base::Limits::Clock::now() - *limits.since);
}

}  // namespace

std::size_t ResourceLimits::memory() const { return memory_bytes.value_or(default_memory_bytes()); }

std::size_t ResourceLimits::memory_left() const {
  return memory() - std::min(base::resident_bytes(), memory() / 16 * 15);
}

base::Limits ResourceLimits::start(const Context& context) const {
  return cancellable(base::Limits(time_left(*this), memory()), context);
}

base::Limits ResourceLimits::start_time(const Context& context) const {
  return cancellable(base::Limits(time_left(*this), std::nullopt), context);
}

}  // namespace zermelo::app
