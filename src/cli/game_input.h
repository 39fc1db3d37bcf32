// Reading the GAME of a command line.
#pragma once

#include <string>

#include "app/context.h"
#include "app/rules.h"

namespace zermelo::cli {

// The valid rules in a file. Errors are shown on standard error and fail with invalid_rules;
// warnings are only counted there, `check` shows them.
// Fails at a limit.
base::Result<app::Rules> read_game(const std::string& path, const app::ResourceLimits& limits = {});

}  // namespace zermelo::cli
