#include "cli/experiment_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"

namespace zermelo::cli {

std::string experiment_text(const app::BanditStudy& study) {
  constexpr std::uint32_t samples[] = {100, 500, 1'000, 3'000};
  std::string text = "Right answers in percent, by number of samples, with 95% intervals:\n";
  for (const app::BanditCurves& setup : study.setups) {
    text += "\n" + setup.setup.name + "\n" + curve_table(setup.curves, study.every, samples);
  }
  return text;
}

std::string experiment_text(const app::PositionStudy& study) {
  constexpr std::uint32_t simulations[] = {500, 1'000, 3'000};
  std::vector<app::Curve> curves;
  for (const app::PositionCurve& agent : study.agents) curves.push_back(agent.curve);
  return "Winning move found, in percent of " + counted(study.trials, "trial") +
         ", by number of simulations, with 95% intervals:\n" +
         curve_table(curves, study.every, simulations);
}

namespace {

std::string match_table(const std::vector<app::MatchPoint>& points, const char* first,
                        const char* second) {
  std::vector<std::vector<std::string>> rows;
  for (const app::MatchPoint& p : points) {
    rows.push_back({p.family, std::to_string(p.first), std::to_string(p.second),
                    p.expansions > 0 ? grouped(p.expansions) + " expansions"
                                     : grouped(p.simulations) + " simulations",
                    grouped(p.games), percent(p.score), fmt::format("{:.1f}", 100 * p.decided)});
  }
  return columns({"family", first, second, "per move", "games", "reward", "decided"}, rows);
}

}  // namespace

std::string experiment_text(const app::PropertiesStudy& study) {
  std::string text =
      "Mean reward of the search against an opponent without mistakes, with 95% intervals, and the "
      "share of\n"
      "simulations that end with a winner, in percent:\n" +
      match_table(study.races, "lanes", "length") + "\n" +
      match_table(study.progression, "active", "factor") +
      "\nMoves chosen in the position of optimistic PAWNS:\n";
  std::vector<std::vector<std::string>> rows;
  for (const app::ChoicePoint& p : study.optimistic) {
    std::string moves;
    for (std::size_t i = 0; i < std::min<std::size_t>(p.moves.size(), 3); ++i)
      moves += fmt::format("{}{} {}", i == 0 ? "" : ", ", p.moves[i].first, p.moves[i].second);
    rows.push_back({std::to_string(p.pawns), grouped(p.expansions), grouped(p.tries), moves});
  }
  return text + columns({"pawns", "expansions", "tries", "moves"}, rows);
}

std::string experiment_text(const app::StrengthStudy& study) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& [name, strength] : study.players) {
    cells.push_back({name, percent(strength.kept), percent(strength.kept_of_decisive)});
  }
  return fmt::format(
             "Value kept, in percent of all {} positions and of the {} where a move loses value:\n",
             study.positions, study.decisive) +
         columns({"player", "all", "decisive"}, cells);
}

std::string percent(const base::Interval& share) {
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", 100 * share.mean, 100 * share.low(),
                     100 * share.high());
}

std::string curve_table(const std::vector<app::Curve>& curves, std::uint32_t every,
                        std::span<const std::uint32_t> samples) {
  std::vector<std::string> titles = {"agent"};
  for (const std::uint32_t number : samples) titles.push_back(grouped(number));
  std::vector<std::vector<std::string>> rows;
  for (const app::Curve& curve : curves) {
    rows.push_back({curve.name});
    for (const std::uint32_t number : samples) {
      rows.back().push_back(percent(curve.points[number / every - 1]));
    }
  }
  return columns(titles, rows);
}

}  // namespace zermelo::cli
