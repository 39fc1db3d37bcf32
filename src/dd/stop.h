// Why a pass of a construction ended early. Inside the module; callers get a base::Error.
#pragma once

#include <optional>
#include <tl/expected.hpp>

#include "base/limits.h"
#include "base/result.h"

namespace zermelo::dd {

enum class Stop {
  time,
  memory,
  tuple_too_long,   // longer than Options::longest_tuple
  too_many_nodes,   // ids have 32 bits
  scratch_failure,  // the scratch folder cannot be written or read back
};

template <class T>
using Passed = tl::expected<T, Stop>;

// The limit that has been passed, if any.
std::optional<Stop> exceeded(const base::Limits& limits);

base::Error error_of(Stop stop);

template <class T>
base::Result<T> result_of(Passed<T> passed) {
  if (passed) return std::move(*passed);
  return tl::unexpected(error_of(passed.error()));
}

}  // namespace zermelo::dd
