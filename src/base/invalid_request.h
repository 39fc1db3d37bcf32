#pragma once

#include "base/error_name.h"

namespace zermelo::base {

inline constexpr ErrorKind invalid_request = static_cast<ErrorKind>(6);

}  // namespace zermelo::base
