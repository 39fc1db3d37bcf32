#include "cli/match_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/output.h"
#include "dd/stored_folder.h"

namespace zermelo::cli {
namespace {

// The mean goal of the player in that role, over completed games.
std::string mean_in_role(const play::MatchResult& result, std::size_t player, std::size_t role) {
  double sum = 0;
  std::uint64_t games = 0;
  for (const play::PlayedGame& game : result.games) {
    if (!game.is_completed || game.seating[role] != player) continue;
    sum += game.goals[role];
    ++games;
  }
  return games == 0 ? "-" : fmt::format("{:.1f}", sum / static_cast<double>(games));
}

}  // namespace

void add_games_option(CLI::App& app, std::optional<std::uint64_t>& games) {
  add_count_option(app, "--games", games, 1'000'000,
                   "So many games, roles changing from game to game (default: 1)");
}

nlohmann::ordered_json match_json(const play::MatchResult& result) {
  nlohmann::ordered_json means = nlohmann::ordered_json::array(), widths = means, records = means;
  for (const base::Interval& goals : result.goals) {
    means.push_back(goals.mean);
    widths.push_back(goals.half_width);
  }
  for (const play::MatchRecord& record : result.records) {
    records.push_back(nlohmann::ordered_json::parse(play::to_json(record)));
  }
  nlohmann::ordered_json json = {{"roles", result.roles},
                                 {"players", result.players},
                                 {"games", result.games.size()},
                                 {"completed", result.completed},
                                 {"mean_goals", means},
                                 {"half_widths", widths},
                                 {"records", records}};
  if (result.limit) {
    json["error"] = {{"kind", name_of(*result.limit)}, {"message", limit_message}};
  }
  return json;
}

std::string match_text(const play::MatchResult& result) {
  std::vector<std::string> titles = {"player", "mean goal", "95%"};
  titles.insert(titles.end(), result.roles.begin(), result.roles.end());
  std::vector<std::vector<std::string>> rows;
  for (std::size_t player = 0; player < result.players.size(); ++player) {
    const base::Interval& goals = result.goals[player];
    rows.push_back({result.players[player], fmt::format("{:.1f}", goals.mean),
                    fmt::format("+-{:.1f}", goals.half_width)});
    for (std::size_t role = 0; role < result.roles.size(); ++role) {
      rows.back().push_back(mean_in_role(result, player, role));
    }
  }
  const std::size_t games = result.games.size();
  const std::string note = result.completed == games
                               ? ""
                               : fmt::format("{} of them not completed, not counted\n",
                                             grouped(games - result.completed));
  return fmt::format("{}\n{}{}", counted(games, "game"), note, columns(titles, rows));
}

base::Result<RecordFolder> RecordFolder::open(const std::string& name) {
  if (name.empty()) return RecordFolder(name);
  const auto made = dd::make_folder(name);
  if (!made) return tl::unexpected(made.error());
  if (::access(name.c_str(), W_OK | X_OK) == 0) return RecordFolder(name);
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("cannot write into '{}': {}", name, std::strerror(errno)));
}

void RecordFolder::write(const play::MatchRecord& record) {
  if (path_.empty()) return;
  const auto written = dd::write_text(path_ / (record.match_id + ".json"), play::to_json(record),
                                      dd::Durability::cached);
  if (written_) written_ = written;
}

ExitCode RecordFolder::end(ExitCode otherwise) const {
  if (written_) return otherwise;
  write_message(fmt::format("zermelo: {}\n", written_.error().message));
  return exit_code_of(written_.error().kind);
}

}  // namespace zermelo::cli
