// Processor time, for tests of how long something takes. Unlike the time on the clock, it does not
// depend on what else the machine does.
#pragma once

#include <chrono>
#include <ctime>
#include <thread>

#include "base/limits.h"

namespace zermelo::testing {

inline std::chrono::duration<double> clock_time(clockid_t clock) {
  timespec now = {};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// Of the calling thread, or of all threads of the process.
inline std::chrono::duration<double> thread_time() { return clock_time(CLOCK_THREAD_CPUTIME_ID); }
inline std::chrono::duration<double> process_time() { return clock_time(CLOCK_PROCESS_CPUTIME_ID); }

// A time limit that counts processor time of the calling thread, from now.
inline base::Limits thread_time_limit(std::chrono::duration<double> time) {
  base::Limits limits;
  limits.end_when([end = thread_time() + time] { return thread_time() >= end; });
  return limits;
}

// Returns the processor time that the threads of the process take while the caller sleeps.
inline std::chrono::duration<double> work_within(std::chrono::milliseconds time) {
  const auto before = process_time();
  std::this_thread::sleep_for(time);
  return process_time() - before;
}

// Returns once the other threads of the process have worked so long, or have nothing to do.
inline void wait_for_work(std::chrono::duration<double> work) {
  constexpr std::chrono::microseconds idle{200};
  const auto end = process_time() + work;
  int idle_times = 0;
  while (process_time() < end && idle_times < 10) {
    idle_times = work_within(std::chrono::milliseconds(50)) < idle ? idle_times + 1 : 0;
  }
}

}  // namespace zermelo::testing
