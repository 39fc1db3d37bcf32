#include "cli/exit_code.h"

namespace zermelo::cli {

ExitCode exit_code_of(base::ErrorKind kind) {
  switch (kind) {
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
      return ExitCode::defect;
  }
  return ExitCode::defect;
}

std::string_view name_of(base::ErrorKind kind) {
  switch (kind) {
    case base::ErrorKind::unreadable_input:
      return "unreadable_input";
    case base::ErrorKind::invalid_rules:
      return "invalid_rules";
    case base::ErrorKind::not_applicable:
      return "not_applicable";
    case base::ErrorKind::memory_limit:
      return "memory_limit";
    case base::ErrorKind::time_limit:
      return "time_limit";
    case base::ErrorKind::unwritable_output:
      return "unwritable_output";
  }
  return "defect";
}

}  // namespace zermelo::cli
