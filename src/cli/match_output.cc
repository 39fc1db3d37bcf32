#include "cli/match_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/write_file.h"

namespace zermelo::cli {

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
                                 {"games", result.records.size()},
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
      double sum = 0;
      std::uint64_t games = 0;
      for (std::size_t game = 0; game < result.records.size(); ++game) {
        const play::MatchRecord& record = result.records[game];
        if (!record.is_completed || result.seatings[game][role] != player) continue;
        sum += record.goals[role];
        ++games;
      }
      rows.back().push_back(games == 0 ? "-"
                                       : fmt::format("{:.1f}", sum / static_cast<double>(games)));
    }
  }
  const std::string note = result.completed == result.records.size()
                               ? ""
                               : fmt::format("{} of them not completed, not counted\n",
                                             grouped(result.records.size() - result.completed));
  return fmt::format("{}\n{}{}", counted(result.records.size(), "game"), note,
                     columns(titles, rows));
}

base::Result<void> write_records(const std::string& folder, const play::MatchResult& result) {
  for (const play::MatchRecord& record : result.records) {
    const auto written = write_file(folder, record.match_id + ".json", play::to_json(record));
    if (!written) return written;
  }
  return {};
}

}  // namespace zermelo::cli
