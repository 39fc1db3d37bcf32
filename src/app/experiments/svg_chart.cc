#include "app/experiments/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantities.h"
#include "base/svg.h"

namespace zermelo::app {
namespace {

namespace svg = base::svg;
using svg::Anchor;

constexpr double left = 74, top = 44, width = 640, height = 360, right = 26, below = 56;
constexpr double bottom = top + height;
constexpr std::string_view grid_colour = "#dddddd", frame_colour = "#888888";
constexpr std::string_view line_colours[] = {"#1b6ca8", "#c8553d", "#3a7d44",
                                             "#7d5ba6", "#b8860b", "#222222"};

constexpr std::size_t max_points = 100;  // drawn per curve

// With at most `max_points` points, each with its horizontal position in the picture.
Curve thinned(const Curve& curve, double last_x) {
  Curve result{curve.name, {}};
  const std::size_t points = curve.points.size(), drawn = std::min(points, max_points);
  for (std::size_t i = 1; i <= drawn; ++i) {
    const std::size_t chosen = i * points / drawn - 1;
    const double share = curve.x.empty() ? static_cast<double>(i) / static_cast<double>(drawn)
                                         : curve.x[chosen] / last_x;
    result.points.push_back(curve.points[chosen]);
    result.x.push_back(left + width * share);
  }
  return result;
}

double y_of(double value) { return top + height * (1 - std::clamp(value, 0.0, 1.0)); }

std::string band(const Curve& curve, std::string_view colour) {
  std::string points;
  const std::size_t n = curve.points.size();
  for (std::size_t i = 0; i < n; ++i) {
    points += fmt::format("{:.1f},{:.1f} ", curve.x[i], y_of(curve.points[i].high()));
  }
  for (std::size_t i = n; i-- > 0;) {
    points += fmt::format("{:.1f},{:.1f} ", curve.x[i], y_of(curve.points[i].low()));
  }
  return fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.15\"/>\n", points,
                     colour);
}

std::string curve_line(const Curve& curve, std::string_view colour) {
  std::string points;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    points += fmt::format("{:.1f},{:.1f} ", curve.x[i], y_of(curve.points[i].mean));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                     points, colour);
}

std::string vertical_axis(const std::string& title) {
  std::string text;
  for (int percent = 0; percent <= 100; percent += 25) {
    const double at = y_of(percent / 100.0);
    text += svg::line({left - 4, at, left + width, at}, grid_colour);
    text += svg::label({left - 8, at + 4, Anchor::end, fmt::format("{}%", percent)});
  }
  return text + svg::label({22, top + height / 2, Anchor::middle, title, 12, false, true});
}

std::string horizontal_axis(const Chart& chart) {
  std::string text = svg::line({left, bottom, left + width, bottom}, frame_colour);
  for (const double tick : svg::round_ticks(chart.last_x, 8)) {
    const double at = left + width * tick / chart.last_x;
    text += svg::line({at, bottom, at, bottom + 5}, frame_colour);
    text += svg::label(
        {at, bottom + 19, Anchor::middle, base::grouped(static_cast<unsigned long long>(tick))});
  }
  return text + svg::label({left + width / 2, bottom + 40, Anchor::middle, chart.x_title});
}

// The names of the curves, in the corner where rising curves leave room.
std::string legend(const std::vector<Curve>& curves) {
  std::string text;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const double at = bottom - 12 - 18 * static_cast<double>(curves.size() - 1 - i);
    text += svg::line({left + width - 150, at - 4, left + width - 126, at - 4},
                      line_colours[i % std::size(line_colours)], 3);
    text += svg::label({left + width - 120, at, Anchor::start, curves[i].name});
  }
  return text;
}

}  // namespace

std::string svg_of(const Chart& chart) {
  std::string text = svg::begin(left + width + right, bottom + below);
  text += svg::label({left, 26, Anchor::start, chart.title, 16, true});
  text += vertical_axis(chart.y_title) + horizontal_axis(chart);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve curve = thinned(chart.curves[i], chart.last_x);
    const std::string_view colour = line_colours[i % std::size(line_colours)];
    text += band(curve, colour) + curve_line(curve, colour);
  }
  return text + legend(chart.curves) + "</svg>\n";
}

}  // namespace zermelo::app
