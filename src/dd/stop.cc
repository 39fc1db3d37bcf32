#include "dd/stop.h"

namespace zermelo::dd {

std::optional<Stop> exceeded(const base::Limits& limits) {
  const auto kind = limits.exceeded();
  if (!kind) return std::nullopt;
  return *kind == base::ErrorKind::time_limit ? Stop::time : Stop::memory;
}

base::Error error_of(Stop stop) {
  using base::ErrorKind;
  switch (stop) {
    case Stop::time:
      return {ErrorKind::time_limit, "the time limit was reached while building a diagram"};
    case Stop::memory:
      return {ErrorKind::memory_limit, "the memory limit was reached while building a diagram"};
    case Stop::tuple_too_long:
      return {ErrorKind::memory_limit, "more than 4 billion nodes of a diagram overlap"};
    case Stop::too_many_nodes:
      return {ErrorKind::memory_limit, "a diagram would need more than 4 billion nodes"};
    case Stop::scratch_failure:
      break;
  }
  return {ErrorKind::memory_limit, "the scratch folder cannot be written or read back"};
}

}  // namespace zermelo::dd
