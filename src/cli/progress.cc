#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/limits.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {

void add_progress_option(CLI::App& app, ProgressMode& mode) {
  add_choice_option(
      app, "--progress", {"auto", "always", "never"},
      [&mode](std::size_t choice) { mode = static_cast<ProgressMode>(choice); },
      "Show a progress line on standard error (default: auto, on a terminal)");
}

ProgressLine::ProgressLine(ProgressMode mode, std::string activity)
    : activity_(std::move(activity)), terminal_(::isatty(STDERR_FILENO) != 0) {
  const bool shown = mode == ProgressMode::always || (mode == ProgressMode::automatic && terminal_);
  if (shown) thread_ = std::thread([this] { show_until_done(); });
}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void ProgressLine::say(std::string activity) {
  const std::lock_guard lock(mutex_);
  activity_ = std::move(activity);
}

std::string ProgressLine::activity() const {
  const std::lock_guard lock(mutex_);
  return activity_;
}

void ProgressLine::show_until_done() {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  bool written = false;
  while (!wake_.wait_for(lock, std::chrono::milliseconds(500), [this] { return done_; })) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    if (terminal_) erase_line();
    write_message(fmt::format("{}: {:.1f} s, {} MB{}", activity_, elapsed.count(),
                              base::resident_bytes() >> 20, terminal_ ? "" : "\n"));
    written = true;
  }
  if (terminal_ && written) erase_line();
}

}  // namespace zermelo::cli
