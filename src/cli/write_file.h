// Files that a command is asked to write.
#pragma once

#include <string>

#include "base/result.h"

namespace zermelo::cli {

// Makes the folder if there is none. Fails with unwritable_output.
base::Result<void> write_file(const std::string& folder, const std::string& name,
                              const std::string& text);

}  // namespace zermelo::cli
