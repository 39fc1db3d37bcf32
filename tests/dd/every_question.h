// Tests that a limit can be reached at every check.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <utility>

#include "base/result.h"
#include "dd/options.h"

namespace zermelo::dd {

// Ends an operation at its first check of the limits, at its second, and so on, until it completes;
// the result must then be as without a limit. The operation must check at least `least_questions`
// times.
template <class Operation>
auto through_every_question(Options options, std::size_t least_questions, Operation operation) {
  constexpr std::size_t max_questions = 5000;
  std::size_t last = 0, asked = 0;
  options.limits.end_when([&] { return ++asked > last; });
  auto result = operation(std::as_const(options));
  while (!result && last < max_questions) {
    EXPECT_EQ(result.error().kind, base::ErrorKind::time_limit);
    ++last;
    asked = 0;
    result = operation(std::as_const(options));
  }
  EXPECT_GE(last, least_questions);
  return result;
}

}  // namespace zermelo::dd
