// The CSV files and pictures of the study of game-tree properties.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "app/experiments/curves.h"
#include "app/experiments/properties.h"
#include "app/experiments/svg_chart.h"
#include "base/svg.h"

namespace zermelo::app {
namespace {

namespace svg = base::svg;

constexpr std::string_view match_header =
    "family,size 1,size 2,expansions,simulations,games,score,low,high,decided\n";
constexpr std::string_view choice_header = "pawns,expansions,tries,move,times\n";

// The cells of all lines after the header; nullopt if the header differs or a line has another
// number of cells.
std::optional<std::vector<std::vector<std::string>>> cells_of(const std::string& csv,
                                                              std::string_view header) {
  if (!csv.starts_with(header)) return std::nullopt;
  const auto width = static_cast<std::size_t>(std::count(header.begin(), header.end(), ',')) + 1;
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv.substr(header.size()));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    auto& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
    if (row.size() != width) return std::nullopt;
  }
  return rows;
}

// The number in a cell; sets `ok` to false if there is none.
double number(const std::string& cell, bool& ok) {
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  ok = ok && !cell.empty() && *end == '\0' && value >= 0 && value < 1e15;
  return ok ? value : 0;
}

// White at score 0, blue at 0.5: no more is possible against an opponent without mistakes.
std::string shade(double score) {
  const double share = std::clamp(score / 0.5, 0.0, 1.0);
  const auto mix = [&](int full) {
    return static_cast<int>(std::lround(255 + share * (full - 255)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0x1b), mix(0x6c), mix(0xa8));
}

std::vector<MatchPoint> selected(const std::vector<MatchPoint>& points, bool by_expansions) {
  std::vector<MatchPoint> result;
  for (const MatchPoint& point : points) {
    if ((point.expansions > 0) == by_expansions) result.push_back(point);
  }
  return result;
}

// A curve per number of active runners; its points are ordered by x.
template <class X>
std::vector<Curve> curves_by_runners(const std::vector<MatchPoint>& points, X x) {
  std::set<int> runners;
  for (const MatchPoint& point : points) runners.insert(point.first);
  std::vector<Curve> curves;
  for (const int active : runners) {
    std::vector<std::pair<double, base::Interval>> sorted;
    for (const MatchPoint& point : points) {
      if (point.first == active) sorted.emplace_back(x(point), point.score);
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Curve& curve = curves.emplace_back(Curve{fmt::format("{} active", active), {}});
    for (const auto& [at, score] : sorted) {
      curve.x.push_back(at);
      curve.points.push_back(score);
    }
  }
  return curves;
}

int largest_factor(const std::vector<MatchPoint>& points) {
  int largest = 1;
  for (const MatchPoint& point : points) largest = std::max(largest, point.second);
  return largest;
}

}  // namespace

std::string match_points_csv(const std::vector<MatchPoint>& points) {
  std::string text(match_header);
  for (const MatchPoint& p : points) {
    text += fmt::format("{},{},{},{},{},{},{},{:.4f}\n", p.family, p.first, p.second, p.expansions,
                        p.simulations, p.games, csv_cells(p.score), p.decided);
  }
  return text;
}

std::optional<std::vector<MatchPoint>> read_match_points(const std::string& csv) {
  const auto rows = cells_of(csv, match_header);
  if (!rows) return std::nullopt;
  std::vector<MatchPoint> points;
  bool ok = true;
  for (const auto& row : *rows) {
    const auto at = [&](std::size_t i) { return number(row[i], ok); };
    MatchPoint& p = points.emplace_back();
    p.family = row[0];
    p.first = static_cast<int>(at(1));
    p.second = static_cast<int>(at(2));
    p.expansions = static_cast<std::uint64_t>(at(3));
    p.simulations = static_cast<std::uint64_t>(at(4));
    p.games = static_cast<std::uint32_t>(at(5));
    const double mean = at(6), low = at(7), high = at(8);
    p.score = {mean, (high - low) / 2, (high + low) / 2, {0, 1}};
    p.decided = at(9);
  }
  if (!ok) return std::nullopt;
  return points;
}

std::string choice_points_csv(const std::vector<ChoicePoint>& points) {
  std::string text(choice_header);
  for (const ChoicePoint& p : points) {
    for (const auto& [move, times] : p.moves)
      text += fmt::format("{},{},{},{},{}\n", p.pawns, p.expansions, p.tries, move, times);
  }
  return text;
}

std::optional<std::vector<ChoicePoint>> read_choice_points(const std::string& csv) {
  const auto rows = cells_of(csv, choice_header);
  if (!rows) return std::nullopt;
  std::vector<ChoicePoint> points;
  bool ok = true;
  for (const auto& row : *rows) {
    const ChoicePoint p{static_cast<int>(number(row[0], ok)),
                        static_cast<std::uint64_t>(number(row[1], ok)),
                        static_cast<std::uint32_t>(number(row[2], ok)),
                        {}};
    const bool continues = !points.empty() && points.back().pawns == p.pawns &&
                           points.back().expansions == p.expansions;
    if (!continues) points.push_back(p);
    points.back().moves.emplace_back(row[3], static_cast<std::uint32_t>(number(row[4], ok)));
  }
  if (!ok) return std::nullopt;
  return points;
}

std::string race_picture(const std::vector<MatchPoint>& races, const std::string& family) {
  constexpr double left = 70, top = 60, cell = 44, below = 60;
  std::set<int> lanes, lengths;
  for (const MatchPoint& p : races) {
    if (p.family == family) lanes.insert(p.first), lengths.insert(p.second);
  }
  const auto column = [&](int l) {
    return static_cast<double>(std::distance(lanes.begin(), lanes.find(l)));
  };
  const auto row = [&](int l) {
    return static_cast<double>(std::distance(lengths.find(l), lengths.end())) - 1;
  };
  const double width = cell * static_cast<double>(lanes.size());
  const double height = cell * static_cast<double>(lengths.size());
  std::string text = svg::begin(left + width + 30, top + height + below);
  text += svg::label(
      {left, 24, svg::Anchor::start, family + ": mean reward of the search, in percent", 15, true});
  text += svg::label({left, 44, svg::Anchor::start,
                      "50 is the best possible against an opponent without mistakes"});
  for (const MatchPoint& p : races) {
    if (p.family != family) continue;
    const double x = left + cell * column(p.first), y = top + cell * row(p.second);
    text +=
        svg::box({x, y, cell, cell}, shade(p.score.mean),
                 fmt::format("{} lanes, length {}: {:.1f} ({:.1f} to {:.1f})", p.first, p.second,
                             100 * p.score.mean, 100 * p.score.low(), 100 * p.score.high()));
    text += svg::label({x + cell / 2, y + cell / 2 + 4, svg::Anchor::middle,
                        fmt::format("{:.0f}", 100 * p.score.mean)});
  }
  for (const int l : lanes)
    text += svg::label({left + cell * (column(l) + 0.5), top + height + 18, svg::Anchor::middle,
                        std::to_string(l)});
  for (const int l : lengths)
    text += svg::label(
        {left - 8, top + cell * (row(l) + 0.5) + 4, svg::Anchor::end, std::to_string(l)});
  text += svg::label({left + width / 2, top + height + 40, svg::Anchor::middle, "lanes"});
  text += svg::label({24, top + height / 2, svg::Anchor::middle, "length", 12, false, true});
  return text + "</svg>\n";
}

std::string progression_picture(const std::vector<MatchPoint>& points, bool by_expansions) {
  const std::vector<MatchPoint> shown = selected(points, by_expansions);
  const auto factor = [](const MatchPoint& point) { return static_cast<double>(point.second); };
  return svg_of({by_expansions ? "Progression, with limited expansions"
                               : "Progression, with limited simulations",
                 "depth factor", "mean reward, with 95% intervals",
                 static_cast<double>(largest_factor(shown)), curves_by_runners(shown, factor)});
}

std::string decided_picture(const std::vector<MatchPoint>& points) {
  const auto percent = [](const MatchPoint& point) { return 100 * point.decided; };
  return svg_of(
      {"Progression, with limited expansions", "simulations that end with a winner, in percent",
       "mean reward, with 95% intervals", 100, curves_by_runners(selected(points, true), percent)});
}

std::string runners_picture(const std::vector<MatchPoint>& points) {
  const int factor = largest_factor(points);
  Chart chart{fmt::format("Progression, depth factor {}", factor),
              "active runners",
              "mean reward, with 95% intervals",
              10,
              {}};
  for (const bool by_expansions : {true, false}) {
    Curve& curve = chart.curves.emplace_back(
        Curve{by_expansions ? "fixed expansions" : "fixed simulations", {}});
    for (const MatchPoint& point : selected(points, by_expansions)) {
      if (point.second != factor) continue;
      curve.x.push_back(point.first);
      curve.points.push_back(point.score);
    }
  }
  return svg_of(chart);
}

}  // namespace zermelo::app
