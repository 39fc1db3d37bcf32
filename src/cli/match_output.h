// What the commands that let players play have in common: the number of games and what they
// say of the result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/exit_code.h"
#include "play/match.h"

namespace CLI {
class App;
}

namespace zermelo::cli {

// The option's variable must live until the command line is parsed.
void add_games_option(CLI::App& app, std::optional<std::uint64_t>& games);

// Of a match that reached its limit.
inline constexpr const char* limit_message =
    "the time limit was reached before all games were over";

nlohmann::ordered_json match_json(const play::MatchResult& result);

// The mean goal of each player, and in each role as well, since roles are rarely equally good.
std::string match_text(const play::MatchResult& result);

// The name of a match's record in its folder.
std::string record_file(const std::string& match_id);

}  // namespace zermelo::cli
