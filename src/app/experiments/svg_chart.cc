#include "app/experiments/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>

namespace zermelo::app {
namespace {

constexpr double left = 60, top = 40, width = 640, height = 360;
constexpr const char* colours[] = {"#1b6ca8", "#c8553d", "#3a7d44",
                                   "#7d5ba6", "#b8860b", "#222222"};

constexpr std::size_t max_points = 100;  // drawn per curve

Curve thinned(const Curve& curve) {
  Curve result{curve.name, {}};
  const std::size_t points = curve.points.size(), drawn = std::min(points, max_points);
  for (std::size_t i = 1; i <= drawn; ++i) {
    result.points.push_back(curve.points[i * points / drawn - 1]);
  }
  return result;
}

double x_of(std::size_t i, std::size_t points) {
  return left + width * static_cast<double>(i + 1) / static_cast<double>(points);
}

double y_of(double value) { return top + height * (1 - std::clamp(value, 0.0, 1.0)); }

std::string band(const Curve& curve, const char* colour) {
  std::string points;
  const std::size_t n = curve.points.size();
  for (std::size_t i = 0; i < n; ++i) {
    const base::Interval& p = curve.points[i];
    points += fmt::format("{:.1f},{:.1f} ", x_of(i, n), y_of(p.high()));
  }
  for (std::size_t i = n; i-- > 0;) {
    const base::Interval& p = curve.points[i];
    points += fmt::format("{:.1f},{:.1f} ", x_of(i, n), y_of(p.low()));
  }
  return fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.15\"/>\n", points,
                     colour);
}

std::string line(const Curve& curve, const char* colour) {
  std::string points;
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    points +=
        fmt::format("{:.1f},{:.1f} ", x_of(i, curve.points.size()), y_of(curve.points[i].mean));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n",
                     points, colour);
}

std::string text(double x, double y, const char* anchor, const std::string& words) {
  return fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     words);
}

std::string axes(const Chart& chart) {
  std::string result = fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", left,
      top, width, height);
  for (int percent = 0; percent <= 100; percent += 25) {
    result += text(left - 8, y_of(percent / 100.0) + 4, "end", fmt::format("{}%", percent));
  }
  result += text(left, top + height + 18, "middle", "0");
  result += text(left + width, top + height + 18, "middle", fmt::format("{:g}", chart.last_x));
  result += text(left + width / 2, top + height + 34, "middle", chart.x_title);
  return result + text(left + width / 2, top - 14, "middle", chart.title);
}

}  // namespace

std::string svg(const Chart& chart) {
  std::string result =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"740\" height=\"450\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"740\" height=\"450\" fill=\"white\"/>\n" +
      axes(chart);
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const char* colour = colours[i % std::size(colours)];
    const Curve curve = thinned(chart.curves[i]);
    result += band(curve, colour) + line(curve, colour);
    result += fmt::format("<g fill=\"{}\">{}</g>\n", colour,
                          text(left + width - 10, top + height - 12 - 16.0 * static_cast<double>(i),
                               "end", chart.curves[i].name));
  }
  return result + "</svg>\n";
}

}  // namespace zermelo::app
