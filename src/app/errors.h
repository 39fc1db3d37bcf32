// Errors with the limit that caused them.
#pragma once

#include "base/result.h"

namespace zermelo::app {

// The error with the limit that was reached in front of its message: "time limit reached, ...".
// Other errors are returned as they are.
base::Error with_limit_named(const base::Error& error);

}  // namespace zermelo::app
