// A program that computes functions: one process, asked line by line.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/process_parts.h"
#include "base/result.h"

namespace zermelo::app {

struct FunctionLimits {
  std::chrono::duration<double> time{10};           // per question
  std::size_t memory_bytes = std::size_t{1} << 30;  // of address space, per process
  std::size_t answer_bytes = 4096;                  // of one line
};

// The program runs with an empty environment, in the root folder, within limits of memory and
// files, and in the sandbox (sandbox.h). It is killed, with all that it started, at the first
// failure, at the end of this object, and when the thread that started it ends.
class FunctionProcess {
 public:
  // `command` starts with the path of a program. Fails with unreadable_input if it cannot be
  // started, and with not_applicable if the system has no sandbox.
  static base::Result<std::unique_ptr<FunctionProcess>> start(
      const std::vector<std::string>& command, const FunctionLimits& limits);
  ~FunctionProcess();
  FunctionProcess(const FunctionProcess&) = delete;
  FunctionProcess& operator=(const FunctionProcess&) = delete;

  // Writes a line with a number and the question to its standard input, and returns the line that
  // it answers, without the number. The error says what it did instead; there are no more answers
  // after it.
  base::Result<std::string> ask(const std::string& question);

 private:
  using Clock = std::chrono::steady_clock;

  explicit FunctionProcess(const FunctionLimits& limits) : limits_(limits) {}

  base::Result<void> run(const std::vector<std::string>& command);
  [[noreturn]] void become_program(char* const* arguments, pid_t parent);
  base::Result<void> write(const std::string& text, Clock::time_point end);
  base::Result<void> read_answer(Clock::time_point end);
  base::Result<void> require_silence();
  bool wait_for(int file, short event, Clock::time_point end);
  void keep_messages();
  tl::unexpected<base::Error> failure(std::string what);
  tl::unexpected<base::Error> ended();
  void kill();

  FunctionLimits limits_;
  Pipe input_, output_, messages_, start_error_;
  pid_t process_ = 0;
  std::uint64_t questions_ = 0;
  std::string answer_;
  std::string kept_messages_;  // the end of what it wrote to standard error
};

}  // namespace zermelo::app
