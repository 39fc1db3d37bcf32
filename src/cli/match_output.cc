#include "cli/match_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/json.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

// The mean goal of the player in the role, over completed games.
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

std::string fault_line(const play::Faults& faults) {
  return fmt::format("faults: {} late, {} illegal, {} unanswered, {} at the start\n", faults.late,
                     faults.illegal, faults.unreachable, faults.unprepared);
}

std::string coalition_line(const play::MatchResult& result) {
  if (result.coalition.empty() || result.completed == 0) return "";
  const base::Interval& sum = result.coalition_sum;
  const std::string interval =
      result.completed > 1 ? fmt::format(", 95% interval {:.1f} to {:.1f}", sum.low(), sum.high())
                           : "";
  return fmt::format("coalition {}: mean sum {:.1f}{}\n", fmt::join(result.coalition, ", "),
                     sum.mean, interval);
}

// "rank 1: 12,345 playouts in 49 requests".
std::string work_lines(const std::vector<cluster::Work>& work) {
  std::string lines;
  for (std::size_t rank = 0; rank < work.size(); ++rank) {
    lines += fmt::format("rank {}: {} playouts in {}", rank, grouped(work[rank].playouts),
                         counted(work[rank].batches, "request"));
    if (work[rank].lost > 0) lines += fmt::format(", {} without an answer", work[rank].lost);
    lines += "\n";
  }
  return lines;
}

// The mean goal of each player, overall and by role, since roles are rarely equally strong.
std::string match_text(const play::MatchResult& result) {
  std::vector<std::string> titles = {"player", "mean goal", "95% interval"};
  titles.insert(titles.end(), result.roles.begin(), result.roles.end());
  std::vector<std::vector<std::string>> rows;
  for (std::size_t player = 0; player < result.players.size(); ++player) {
    const base::Interval& goals = result.goals[player];
    rows.push_back(
        {result.players[player], result.completed > 0 ? fmt::format("{:.1f}", goals.mean) : "-",
         result.completed > 1 ? fmt::format("{:.1f} to {:.1f}", goals.low(), goals.high()) : "-"});
    for (std::size_t role = 0; role < result.roles.size(); ++role) {
      rows.back().push_back(mean_in_role(result, player, role));
    }
  }
  std::string choices;
  for (const std::string& choice : result.choices) {
    if (!choice.empty()) choices += fmt::format("auto plays with {}\n", choice);
  }
  const std::size_t games = result.games.size();
  const std::string note = result.completed == games
                               ? ""
                               : fmt::format("{} not completed, excluded from the means\n",
                                             grouped(games - result.completed));
  return fmt::format("{}\n{}{}{}{}{}", counted(games, "game"), note, choices, columns(titles, rows),
                     coalition_line(result), result.faults ? fault_line(*result.faults) : "");
}

}  // namespace

void add_games_option(CLI::App& app, std::optional<std::uint64_t>& games) {
  add_count_option(app, "--games", games, 1'000'000, "Number of games; roles rotate (default: 1)");
}

ExitCode show_match(const app::MatchReport& report, bool json) {
  const play::MatchResult& match = report.match;
  write_answer(json ? app::to_json(report) + "\n" : match_text(match) + work_lines(report.work));
  std::optional<base::Error> stopped;
  if (match.limit) stopped = {*match.limit, app::match_limit_message};
  const ExitCode code = end_of_work(stopped);
  if (!report.records) {
    write_message(fmt::format("zermelo: {}\n", report.records.error().message));
    return exit_code_of(report.records.error().kind);
  }
  return code;
}

}  // namespace zermelo::cli
