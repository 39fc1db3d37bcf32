// Running another program that may crash, hang, flood or use too much memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"

namespace zermelo::app {

struct ChildCommand {
  std::vector<std::string> arguments;  // the program first; searched in PATH if it has no slash
  std::filesystem::path folder;        // in which it runs
  std::filesystem::path input = {};    // the file that is its standard input; empty: no input
  std::size_t memory_bytes = 0;        // of address space; 0: no limit
};

struct ChildEnd {
  enum class How {
    exited,     // `code` is its exit code
    signalled,  // a signal ended it; `code` is the signal
    stopped,    // it was killed at a limit
    flooded,    // it was killed because it wrote more than max_child_output
  };
  How how = How::exited;
  int code = 0;
  std::string output;  // the last part of what it wrote on standard output and standard error
};

inline constexpr std::size_t max_child_output = 64u << 20;
// Of each file that a child writes.
inline constexpr std::size_t max_child_file = std::size_t{1} << 30;

// Runs the program until it ends or a limit is reached. Then all processes that it started are
// killed, also those in sessions of their own. The program is also killed when this process dies.
// Fails with unreadable_input if it cannot be started.
base::Result<ChildEnd> run_child(const ChildCommand& command, const base::Limits& limits);

// How it ended, as a predicate: "ended with exit code 3: no such domain". The last line of the
// output is quoted.
std::string description(const ChildEnd& end);

}  // namespace zermelo::app
