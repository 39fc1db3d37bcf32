// SIGINT and SIGTERM as a request to stop.
#pragma once

#include <array>
#include <csignal>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/result.h"
#include "cli/exit_code.h"

namespace zermelo::cli {

// While an Interruption exists, the first SIGINT or SIGTERM only requests a stop of its token, so
// that the work can end and show what it found. A second signal ends the program at once. At most
// one Interruption may exist at a time.
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

// Whether an Interruption received a signal.
bool was_interrupted();

// The message of an error that ended the work. After a signal, which requests treat like a time
// limit, it says "interrupted" instead of "time limit reached".
std::string stop_message(const base::Error& error);

// Reports what ended the work before it was done, if something did; returns the exit code.
ExitCode end_of_work(const std::optional<base::Error>& stopped);

// Ends the program by the signal that an Interruption received, if there was one: so the shell, or
// whoever started the program, learns of it. The shell's exit code is then 130 for Ctrl-C.
void end_by_signal();

}  // namespace zermelo::cli
