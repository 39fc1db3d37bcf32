// The names of errors.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace zermelo::base {

// The name of an error in JSON: "time_limit".
std::string_view name_of(ErrorKind kind);

// The error of reaching a limit: "time limit reached while grounding", where `when` is "while
// grounding". Requires that `limit` is a limit.
Error limit_error(ErrorKind limit, const std::string& when);

}  // namespace zermelo::base
