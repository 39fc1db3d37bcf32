// SIGINT and SIGTERM as a request to stop.
#pragma once

#include <array>
#include <csignal>
#include <stop_token>
#include <thread>

namespace zermelo::cli {

// While this lives, the first SIGINT or SIGTERM only requests a stop of its token, and the
// destructor then ends the program by that signal: the work can clean up before. A second signal
// ends the program at once. At most one of these may live at a time.
//
// A signal handler may do little more than write to a pipe; a thread that reads from it requests
// the stop.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  std::stop_token token() const { return source_.get_token(); }

 private:
  static constexpr std::array<int, 2> signals = {SIGINT, SIGTERM};

  std::stop_source source_;
  int read_end_ = -1;
  std::array<struct sigaction, signals.size()> before_ = {};
  std::thread waiting_;
};

}  // namespace zermelo::cli
