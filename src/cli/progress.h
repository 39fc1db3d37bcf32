// A progress line on standard error: the activity, the elapsed time and the memory in use. It
// appears after half a second. On a terminal it is updated in place and erased at the end.
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

// `mode` must live until the command line is parsed.
void add_progress_option(CLI::App& app, ProgressMode& mode);

// Shows the line while it exists.
class ProgressLine {
 public:
  ProgressLine(ProgressMode mode, std::string activity);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Sets the activity.
  void say(std::string activity);
  // A context that reports progress on this line. The line must outlive it.
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
