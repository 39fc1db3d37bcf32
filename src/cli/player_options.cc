#include "cli/player_options.h"

#include <fmt/format.h>

#include "cli/game_input.h"
#include "cli/output.h"
#include "play/folder_values.h"

namespace zermelo::cli {

base::Result<std::shared_ptr<const search::Simulator>> read_engine(const std::string& path,
                                                                   const LimitOptions& limits) {
  auto rules = read_game(path);
  if (!rules) return tl::unexpected(rules.error());
  search::SimulatorOptions options;
  options.limits = limits.start({});
  return search::make_simulator(*rules, options);
}

base::Result<Values> open_values(const std::string& folder, const search::Simulator& engine) {
  if (folder.empty()) return Values();
  return play::open_folder_values(folder, engine.machine());
}

std::optional<std::vector<play::AgentSpec>> read_players(const std::vector<std::string>& texts,
                                                         std::size_t roles) {
  if (texts.size() > roles) {
    write_message(
        fmt::format("zermelo: {} players for {}\n", texts.size(), counted(roles, "role")));
    return std::nullopt;
  }
  std::vector<play::AgentSpec> players;
  for (std::size_t i = 0; i < roles; ++i) {
    const auto player = play::parse_agent(i < texts.size() ? texts[i] : "random");
    if (!player) {
      write_message(fmt::format("zermelo: {}\n", player.error()));
      return std::nullopt;
    }
    players.push_back(*player);
  }
  return players;
}

}  // namespace zermelo::cli
