#include "cli/match_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/output.h"

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
    means.push_back(result.completed > 0 ? nlohmann::ordered_json(goals.mean) : nullptr);
    widths.push_back(result.completed > 1 ? nlohmann::ordered_json(goals.half_width) : nullptr);
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
    rows.push_back({result.players[player],
                    result.completed > 0 ? fmt::format("{:.1f}", goals.mean) : "-",
                    result.completed > 1 ? fmt::format("+-{:.1f}", goals.half_width) : "-"});
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

std::string record_file(const std::string& match_id) { return match_id + ".json"; }

}  // namespace zermelo::cli
