// Writing one file that a user named.
#pragma once

#include <string>

#include "base/result.h"

namespace zermelo::app {

// Replaces a file by the text at once, so that a failure leaves the earlier file. Devices and pipes
// are written directly. Fails with unwritable_output and the reason.
base::Result<void> write_file(const std::string& path, const std::string& text);

}  // namespace zermelo::app
