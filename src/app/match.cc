#include "app/match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <thread>

#include "app/output_folder.h"
#include "app/players.h"

namespace zermelo::app {
namespace {

play::MatchOptions match_options(const MatchRequest& request, base::Limits time) {
  play::MatchOptions options;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  options.games = request.games;
  options.seed = request.seed;
  options.threads = std::max(1u, request.threads.value_or(cores));
  options.game_name = request.game_name;
  options.limits = std::move(time);
  options.keep_records = request.keep_records;
  return options;
}

// The memory that the game leaves is divided among the agents of the games played at the same time.
std::size_t memory_share(const MatchRequest& request, const play::MatchOptions& options,
                         std::size_t roles) {
  const std::uint64_t games = std::min<std::uint64_t>(options.games, options.threads);
  return request.limits.memory_left() / std::max<std::size_t>(games * roles, 1);
}

base::Result<std::optional<search::CoalitionRewards>> read_coalition(
    const std::vector<std::string>& names, const std::vector<std::string>& roles) {
  if (names.empty()) return std::nullopt;
  search::CoalitionRewards coalition{.members = std::vector<bool>(roles.size())};
  for (const std::string& name : names) {
    const auto role = std::find(roles.begin(), roles.end(), name);
    if (role == roles.end()) {
      return base::fail(base::ErrorKind::invalid_request,
                        fmt::format("the game has no role \"{}\"; its roles are {}", name,
                                    fmt::join(roles, ", ")));
    }
    coalition.members[static_cast<std::size_t>(role - roles.begin())] = true;
  }
  return coalition;
}

}  // namespace

base::Result<MatchReport> play_match(const MatchRequest& request, const Context& context) {
  const base::Limits time = request.limits.start_time(context);  // agents respect their memory
  const auto simulator = make_simulator(request.rules, request.limits, context, time);
  if (!simulator) return tl::unexpected(simulator.error());
  const std::size_t roles = (*simulator)->roles().size();
  auto players = read_players(request.players, roles);
  if (!players) return tl::unexpected(players.error());
  auto coalition = read_coalition(request.coalition, (*simulator)->roles());
  if (!coalition) return tl::unexpected(coalition.error());
  auto records =
      OutputFolder::open_without(request.records, record_file(play::match_id(request.seed, 0)));
  if (!records) return tl::unexpected(records.error());
  play::MatchOptions options = match_options(request, time);
  options.coalition = std::move(*coalition);
  options.game_over = [&](const play::MatchRecord& record) {
    records->write(record_file(record.match_id), play::to_json(record));
  };
  for (play::AgentSpec& player : *players) {
    player.memory_share = memory_share(request, options, roles);
  }
  context.report("playing");
  auto match = play::run_match(*simulator, *players, options);
  if (!match) return tl::unexpected(match.error());
  return MatchReport{std::move(*match), records->written()};
}

std::string record_file(const std::string& match_id) { return match_id + ".json"; }

}  // namespace zermelo::app
