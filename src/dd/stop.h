// Why a pass of a construction ended early. Internal to the module; callers get a base::Error.
#pragma once

#include <new>
#include <optional>
#include <tl/expected.hpp>
#include <utility>

#include "base/limits.h"
#include "base/result.h"

namespace zermelo::dd {

enum class Stop {
  time,
  memory,
  tuple_too_long,   // longer than Options::longest_tuple
  too_many_nodes,   // more than 32-bit ids allow, or than a bound of the caller
  scratch_failure,  // the scratch folder cannot be written or read
};

template <class T>
using Passed = tl::expected<T, Stop>;

// Returns the exceeded limit, if any.
std::optional<Stop> exceeded(const base::Limits& limits);

base::Error error_of(Stop stop);

// Returns the result of make(), a Passed. Treats std::bad_alloc as a reached memory limit.
template <class Make>
auto within_memory(Make make) -> decltype(make()) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    return tl::unexpected(Stop::memory);
  }
}

template <class T>
base::Result<T> result_of(Passed<T> passed) {
  if (passed) return std::move(*passed);
  return tl::unexpected(error_of(passed.error()));
}

}  // namespace zermelo::dd
