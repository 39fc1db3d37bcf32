// Reading the GAME of a command line.
#pragma once

#include <string>

#include "app/context.h"
#include "app/rules.h"

namespace zermelo::cli {

// Reads the rules in a file. Prints errors in the rules to standard error and fails with
// invalid_rules; of warnings it prints only the number. Fails at a limit.
base::Result<app::Rules> read_game(const std::string& path, const app::ResourceLimits& limits = {});

// The name of a game in pictures: its file without folder and ending; empty for standard input.
std::string title_of_game(const std::string& path);

}  // namespace zermelo::cli
