#include "app/match.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <thread>

#include "app/output_folder.h"
#include "app/players.h"
#include "cluster/helper.h"
#include "cluster/team.h"
#include "gdl/validity.h"
#include "play/hidden_match.h"

namespace zermelo::app {
namespace {

play::MatchOptions match_options(const MatchRequest& request, base::Limits time) {
  play::MatchOptions options;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  options.games = request.games;
  options.seed = request.seed;
  options.threads = std::max(1u, request.threads.value_or(request.job ? 1 : cores));
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

// Where the game is played: on a simulator, or on a machine if there is hidden information.
struct Table {
  Simulator simulator;
  std::shared_ptr<const machine::Machine> machine;  // if there is hidden information

  std::size_t seats() const {
    return machine ? play::played_roles(*machine).size() : simulator->roles().size();
  }
  base::Result<play::MatchResult> play(const std::vector<play::AgentSpec>& players,
                                       const play::MatchOptions& options) const {
    return machine ? play::run_hidden_match(machine, players, options)
                   : play::run_match(simulator, players, options);
  }
};

base::Result<Table> make_table(const MatchRequest& request, const Context& context,
                               const base::Limits& time) {
  if (!gdl::uses_imperfect_information(*request.rules)) {
    auto simulator = make_simulator(request.rules, request.limits, context, time);
    if (!simulator) return tl::unexpected(simulator.error());
    return Table{std::move(*simulator), nullptr};
  }
  auto machine = make_hidden_machine(request.rules, request.limits.start(context));
  if (!machine) return tl::unexpected(machine.error());
  return Table{nullptr, std::move(*machine)};
}

base::Result<std::optional<search::CoalitionRewards>> read_coalition(
    const std::vector<std::string>& names, const Table& table) {
  if (names.empty()) return std::nullopt;
  if (table.machine) {
    return base::fail(base::ErrorKind::not_applicable,
                      "coalitions do not play games with hidden information");
  }
  const std::vector<std::string>& roles = table.simulator->roles();
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

// The players. With a team, those that are called `cluster` search on all ranks.
base::Result<std::vector<play::AgentSpec>> seat_players(const MatchRequest& request,
                                                        std::size_t roles, cluster::Team* team) {
  if (team == nullptr) return read_players(request.players, roles);
  constexpr std::string_view name = "cluster";
  std::vector<std::string> texts = request.players;
  std::vector<bool> is_shared(roles);
  for (std::size_t i = 0; i < std::min(texts.size(), roles); ++i) {
    is_shared[i] = texts[i] == name || texts[i].starts_with("cluster:");
    if (is_shared[i]) texts[i].replace(0, name.size(), "uct");
  }
  if (std::find(is_shared.begin(), is_shared.end(), true) == is_shared.end()) {
    return base::fail(base::ErrorKind::invalid_request,
                      "--cluster needs a player that searches on all ranks: --player cluster or "
                      "--player cluster:OPTIONS, with the options of uct");
  }
  auto players = read_players(texts, roles);
  for (std::size_t i = 0; players && i < roles; ++i) {
    if (!is_shared[i]) continue;
    (*players)[i].text = request.players[i];
    (*players)[i].make = [team, mode = request.cluster](const play::AgentSpec& spec,
                                                        const play::Seat& seat) {
      return cluster::make_cluster_agent(*team, mode, spec, seat);
    };
  }
  return players;
}

// `team` is null without a job.
base::Result<MatchReport> play_at_table(const MatchRequest& request, const Context& context,
                                        cluster::Team* team) {
  const base::Limits time = request.limits.start_time(context);  // agents respect their memory
  const auto table = make_table(request, context, time);
  if (!table) return tl::unexpected(table.error());
  const std::size_t roles = table->seats();
  auto players = seat_players(request, roles, team);
  if (!players) return tl::unexpected(players.error());
  auto coalition = read_coalition(request.coalition, *table);
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
  auto match = table->play(*players, options);
  if (!match) return tl::unexpected(match.error());
  MatchReport report{std::move(*match), records->written()};
  const bool is_tree = request.cluster == cluster::SearchMode::tree;
  if (team != nullptr && is_tree) report.work = team->take_work();
  return report;
}

}  // namespace

base::Result<MatchReport> play_match(const MatchRequest& request, const Context& context) {
  if (!request.job) return play_at_table(request, context, nullptr);
  if (!request.job->is_main()) {
    cluster::help(request.job->channel());
    return MatchReport();
  }
  cluster::Team team(request.job->channel(), {});
  team.prepare(*request.rules, request.seed);
  return play_at_table(request, context, &team);
}

std::string record_file(const std::string& match_id) { return match_id + ".json"; }

}  // namespace zermelo::app
