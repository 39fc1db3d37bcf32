// Reading the GAME of a command line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/context.h"
#include "app/rules.h"

namespace zermelo::cli {

// Reads the rules in a file. Prints errors in the rules to standard error and fails with
// invalid_rules; of warnings it prints only the number. Fails at a limit. Starts the programs and
// libraries in `allow`, as NAME=PATH, to compute functions of the rules.
base::Result<app::Rules> read_game(const std::string& path, const app::ResourceLimits& limits = {},
                                   const std::vector<std::string>& allow = {});

// Why a program or library that read_game started has failed, if one has. What a command printed
// may then be incomplete.
std::optional<base::Error> failure_of_functions();

// The name of a game in pictures: its file without folder and ending; empty for standard input.
std::string title_of_game(const std::string& path);

}  // namespace zermelo::cli
