#include "cli/exit_code.h"

namespace zermelo::cli {

ExitCode exit_code_of(base::ErrorKind kind) {
  switch (kind) {
    case base::ErrorKind::invalid_request:
      return ExitCode::usage;
    case base::ErrorKind::unreadable_input:
    case base::ErrorKind::invalid_rules:
      return ExitCode::bad_input;
    case base::ErrorKind::not_applicable:
      return ExitCode::not_applicable;
    case base::ErrorKind::memory_limit:
      return ExitCode::memory_limit;
    case base::ErrorKind::time_limit:
      return ExitCode::time_limit;
    case base::ErrorKind::unwritable_output:
      return ExitCode::unwritable_output;
  }
  return ExitCode::defect;
}

}  // namespace zermelo::cli
