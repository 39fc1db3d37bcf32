// The exit codes of the program (docs/reference/exit-codes.md), and the one place that maps errors
// to them.
#pragma once

#include "base/error_name.h"

namespace zermelo::cli {

enum class ExitCode : int {
  success = 0,         // done; the answer is yes where there is a yes or no
  answer_is_no = 1,    // done; rules invalid, verification failed, no plan exists
  usage = 2,           // wrong use of the command line
  bad_input = 3,       // the input cannot be read or is not valid GDL
  not_applicable = 4,  // the game lacks a property that the command needs
  memory_limit = 5,
  time_limit = 6,
  defect = 70,  // a defect of ours
};

ExitCode exit_code_of(base::ErrorKind kind);

}  // namespace zermelo::cli
