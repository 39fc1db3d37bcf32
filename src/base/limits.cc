#include "base/limits.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace zermelo::base {
namespace {

// Cached for a millisecond, because some callers ask at every level of a small diagram.
std::size_t recent_resident_bytes() {
  constexpr std::chrono::milliseconds max_age{1};
  thread_local Limits::Clock::time_point next_read = Limits::Clock::time_point::min();
  thread_local std::size_t bytes = 0;
  const Limits::Clock::time_point now = Limits::Clock::now();
  if (now >= next_read) {
    bytes = resident_bytes();
    next_read = now + max_age;
  }
  return bytes;
}

}  // namespace

Limits::Limits(std::optional<std::chrono::duration<double>> time,
               std::optional<std::size_t> memory_bytes)
    : memory_bytes_(memory_bytes) {
  if (time) deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*time);
}

Limits Limits::within(std::chrono::duration<double> time) const {
  Limits result = *this;
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  result.deadline_ = deadline_ ? std::min(*deadline_, end) : end;
  return result;
}

std::optional<ErrorKind> Limits::exceeded(std::size_t more_bytes) const {
  if (deadline_ && Clock::now() >= *deadline_) return ErrorKind::time_limit;
  if (stop_requested_ && stop_requested_()) return ErrorKind::time_limit;
  if (memory_bytes_ && recent_resident_bytes() + more_bytes > *memory_bytes_) {
    return ErrorKind::memory_limit;
  }
  return std::nullopt;
}

std::optional<std::chrono::duration<double>> Limits::time_left() const {
  if (!deadline_) return std::nullopt;
  return std::max<std::chrono::duration<double>>(*deadline_ - Clock::now(), Clock::duration(0));
}

std::size_t resident_bytes() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char buffer[128] = {};
  const ssize_t length = ::read(file, buffer, sizeof buffer - 1);
  ::close(file);
  const char* resident = length > 0 ? std::strchr(buffer, ' ') : nullptr;
  if (!resident) return 0;
  return std::strtoull(resident, nullptr, 10) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace zermelo::base
