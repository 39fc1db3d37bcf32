// The exit codes of the program (docs/reference/exit-codes.md), and the one place that maps errors
// to them.
#pragma once

#include "base/error_name.h"

namespace zermelo::cli {

enum class ExitCode : int {
  success = 0,         // done; if the question has a yes or no answer, it is yes
  answer_is_no = 1,    // done; rules invalid, verification failed, no plan exists
  usage = 2,           // wrong command line
  bad_input = 3,       // the input cannot be read or is not valid GDL
  not_applicable = 4,  // the game lacks a property that the command needs
  memory_limit = 5,
  time_limit = 6,
  unwritable_output = 7,
  defect = 70,  // a bug in the program, or the output could not be written
};

ExitCode exit_code_of(base::ErrorKind kind);

}  // namespace zermelo::cli
