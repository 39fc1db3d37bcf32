// Calls that may take long: they run in a thread of their own without Python's lock, while the
// calling thread waits, passes on progress reports and looks for signals. Ctrl-C cancels the call.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "app/context.h"

namespace zermelo::python {

// The latest report of the working thread.
class Reports {
 public:
  void put(std::string report) {
    const std::lock_guard lock(mutex_);
    report_ = std::move(report);
  }
  std::optional<std::string> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(report_, std::nullopt);
  }

 private:
  std::mutex mutex_;  // guards report_
  std::optional<std::string> report_;
};

// Shows the latest report to `progress`, which may be None, and handles signals. Throws the Python
// exception that either of them raises.
inline void attend(Reports& reports, const pybind11::object& progress) {
  if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
  const auto report = reports.take();
  if (report && !progress.is_none()) progress(*report);
}

// Returns work(context). `work` must not use Python.
template <class Work>
auto run_long(const pybind11::object& progress, Work work) {
  using namespace std::chrono_literals;
  Reports reports;
  std::stop_source stop;
  const app::Context context{[&](std::string report) { reports.put(std::move(report)); },
                             stop.get_token()};
  auto answer = std::async(std::launch::async, [&] { return work(context); });
  const auto is_ready = [&] {
    const pybind11::gil_scoped_release unlocked;
    return answer.wait_for(50ms) == std::future_status::ready;
  };
  while (!is_ready()) {
    try {
      attend(reports, progress);
    } catch (...) {
      stop.request_stop();
      const pybind11::gil_scoped_release unlocked;
      answer.wait();
      throw;
    }
  }
  attend(reports, progress);
  return answer.get();
}

}  // namespace zermelo::python
