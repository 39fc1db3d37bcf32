// SIGINT and SIGTERM as a request to stop.
#pragma once

#include <array>
#include <csignal>
#include <stop_token>
#include <thread>

namespace zermelo::cli {

// While an Interruption exists, the first SIGINT or SIGTERM only requests a stop of its token, so
// that the work can clean up. The destructor then raises the signal again, which ends the program.
// A second signal ends the program at once. At most one Interruption may exist at a time.
//
// A signal handler may do little more than write to a pipe. A thread that reads from the pipe
// requests the stop.
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
