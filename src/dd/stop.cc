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
      return {ErrorKind::time_limit, "time limit reached while building the diagrams"};
    case Stop::memory:
      return {ErrorKind::memory_limit, "memory limit reached while building the diagrams"};
    case Stop::tuple_too_long:
      return {ErrorKind::memory_limit, "a diagram operation needs tuples that are too long"};
    case Stop::too_many_nodes:
      return {ErrorKind::memory_limit, "a diagram would need more than 4 billion nodes"};
    case Stop::scratch_failure:
      break;
  }
  return {ErrorKind::memory_limit, "cannot write or read the scratch folder"};
}

}  // namespace zermelo::dd
