// A line on standard error that tells what the program is busy with, for how long, in how much
// memory. It appears after a moment, is rewritten in place, and is gone when the work is done.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "app/context.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

enum class ProgressMode { automatic, always, never };  // automatic: only on a terminal

// The option's variable must live until the command line is parsed.
void add_progress_option(CLI::App& app, ProgressMode& mode);

// Shows the line for as long as it lives.
class ProgressLine {
 public:
  ProgressLine(ProgressMode mode, std::string activity);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // What it is busy with now.
  void say(std::string activity);
  // A request that reports its progress here. The line must outlive it.
  app::Context context() {
    return {[this](std::string activity) { say(std::move(activity)); }, {}};
  }

 private:
  void show_until_done();

  std::string activity_;
  bool terminal_;
  bool done_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace zermelo::cli
