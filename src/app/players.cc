#include "app/players.h"

#include <fmt/format.h>

#include "base/quantities.h"
#include "ground/ground.h"
#include "play/folder_values.h"

namespace zermelo::app {

base::Result<Simulator> make_simulator(const Rules& rules, const ResourceLimits& limits,
                                       const Context& context,
                                       const base::Limits& reference_limits) {
  search::SimulatorOptions options;
  options.reference_limits = reference_limits;
  options.limits = limits.start(context);
  auto simulator = search::make_simulator(rules, options);
  if (!context.stop.stop_requested()) return simulator;
  return base::fail(base::ErrorKind::time_limit, "cancelled before the game was ready");
}

base::Result<std::shared_ptr<const machine::Machine>> make_hidden_machine(
    const Rules& rules, const base::Limits& limits) {
  auto game = ground::ground(rules, {limits});
  if (!game) return tl::unexpected(game.error());
  return machine::Machine::make(std::move(*game), limits);
}

base::Result<Values> open_values(const std::string& folder, const search::Simulator& simulator) {
  if (folder.empty()) return Values();
  return play::open_folder_values(folder, simulator.machine());
}

base::Result<play::AgentSpec> read_player(const std::string& text) {
  auto player = play::parse_agent(text);
  if (!player) return base::fail(base::ErrorKind::invalid_request, player.error());
  return *player;
}

base::Result<std::vector<play::AgentSpec>> read_players(const std::vector<std::string>& texts,
                                                        std::size_t roles) {
  if (texts.size() > roles) {
    return base::fail(base::ErrorKind::invalid_request,
                      fmt::format("{} players for {}", texts.size(), base::counted(roles, "role")));
  }
  std::vector<play::AgentSpec> players;
  for (std::size_t i = 0; i < roles; ++i) {
    auto player = read_player(i < texts.size() ? texts[i] : "random");
    if (!player) return tl::unexpected(player.error());
    players.push_back(std::move(*player));
  }
  return players;
}

}  // namespace zermelo::app
