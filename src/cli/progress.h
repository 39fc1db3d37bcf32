// A progress line on standard error: the activity, the elapsed time and the memory in use. It
// appears after half a second. On a terminal it is updated in place and erased at the end.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "app/context.h"
#include "cli/interruption.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

enum class ProgressMode { automatic, always, never };  // automatic: only on a terminal

// `mode` must live until the command line is parsed.
void add_progress_option(CLI::App& app, ProgressMode& mode);

// Shows the line while it exists, and makes the work that reports on it end at the first Ctrl-C.
class ProgressLine {
 public:
  ProgressLine(ProgressMode mode, std::string activity);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Sets the activity.
  void say(std::string activity);
  // The last activity.
  std::string activity() const;
  // A context that reports progress on this line, and is cancelled by Ctrl-C. The line must outlive
  // it.
  app::Context context() {
    return {[this](std::string activity) { say(std::move(activity)); }, interruption_.token()};
  }

 private:
  void show_until_done();

  Interruption interruption_;
  std::string activity_;
  bool terminal_;
  bool done_ = false;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace zermelo::cli
