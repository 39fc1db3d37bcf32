#include "base/error_name.h"

#include <cassert>

namespace zermelo::base {

std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::unreadable_input:
      return "unreadable_input";
    case ErrorKind::invalid_request:
      return "invalid_request";
    case ErrorKind::invalid_rules:
      return "invalid_rules";
    case ErrorKind::not_applicable:
      return "not_applicable";
    case ErrorKind::memory_limit:
      return "memory_limit";
    case ErrorKind::time_limit:
      return "time_limit";
    case ErrorKind::unwritable_output:
      return "unwritable_output";
  }
  return "defect";
}

Error limit_error(ErrorKind limit, const std::string& when) {
  assert(is_limit(limit));
  const char* name = limit == ErrorKind::time_limit ? "time" : "memory";
  return {limit, std::string(name) + " limit reached " + when};
}

}  // namespace zermelo::base
