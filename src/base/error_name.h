// The names of errors.
#pragma once

#include <string_view>

#include "base/result.h"

namespace zermelo::base {

// The name of an error in JSON: "time_limit".
std::string_view name_of(ErrorKind kind);

}  // namespace zermelo::base
