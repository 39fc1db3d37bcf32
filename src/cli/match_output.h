// What the commands that let players play have in common: the number of games and how the result is
// shown.
#pragma once

#include <cstdint>
#include <optional>

#include "app/match.h"
#include "cli/exit_code.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// The option's variable must live until the command line is parsed.
void add_games_option(CLI::App& app, std::optional<std::uint64_t>& games);

// Writes the answer, then says on standard error which limit was reached and whether records could
// not be written. Returns how the command ends.
ExitCode show_match(const app::MatchReport& report, bool json);

}  // namespace zermelo::cli
