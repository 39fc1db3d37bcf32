// What `match` and `referee` have in common: the number of games and how the result is shown.
#pragma once

#include <cstdint>
#include <optional>

#include "app/match.h"
#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// `games` must live until the command line is parsed.
void add_games_option(CLI::App& app, std::optional<std::uint64_t>& games);

// Prints the result, then reports on standard error a limit that was reached and records that could
// not be written. Returns the exit code.
ExitCode show_match(const app::MatchReport& report, bool json);

}  // namespace zermelo::cli
