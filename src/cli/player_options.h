// What the commands that play have in common: the game's engine and the players of the command
// line.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/options.h"
#include "play/agent.h"
#include "search/simulator.h"

namespace zermelo::cli {

// Reads the game and makes the engine that plays it best.
base::Result<std::shared_ptr<const search::Simulator>> read_engine(const std::string& path,
                                                                   const LimitOptions& limits);

using Values = std::shared_ptr<const eval::StateValues>;

// The stored solution of the same rules; null where no folder is named.
base::Result<Values> open_values(const std::string& folder, const search::Simulator& engine);

// The players of the texts; missing ones are `random`. Shows on standard error what is wrong and
// returns nothing where a text is no player or there are more than roles.
std::optional<std::vector<play::AgentSpec>> read_players(const std::vector<std::string>& texts,
                                                         std::size_t roles);

}  // namespace zermelo::cli
