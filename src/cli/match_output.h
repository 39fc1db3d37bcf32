// What the commands that let players play say of the result.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "play/match.h"

namespace zermelo::cli {

// Of a match that reached its limit.
inline constexpr const char* limit_message =
    "the time limit was reached before all games were over";

nlohmann::ordered_json match_json(const play::MatchResult& result);

// The mean goal of each player, and in each role as well, since roles are rarely equally good.
std::string match_text(const play::MatchResult& result);

// A file per game, named by the match.
base::Result<void> write_records(const std::string& folder, const play::MatchResult& result);

}  // namespace zermelo::cli
