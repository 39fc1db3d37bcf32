#include "cli/experiment_curves.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/output.h"

namespace zermelo::cli {

std::string percent(const base::Interval& share) {
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", 100 * share.mean, 100 * share.low(),
                     100 * share.high());
}

std::string curve_table(const std::vector<Curve>& curves, std::uint32_t every,
                        std::span<const std::uint32_t> samples) {
  std::vector<std::string> titles = {"agent"};
  for (const std::uint32_t number : samples) titles.push_back(grouped(number));
  std::vector<std::vector<std::string>> rows;
  for (const Curve& curve : curves) {
    rows.push_back({curve.name});
    for (const std::uint32_t number : samples) {
      rows.back().push_back(percent(curve.points[number / every - 1]));
    }
  }
  return columns(titles, rows);
}

std::string csv_cells(const base::Interval& interval) {
  return fmt::format("{:.4f},{:.4f},{:.4f}", interval.mean, interval.low(), interval.high());
}

void add_points(nlohmann::ordered_json& object, const std::vector<base::Interval>& points) {
  nlohmann::ordered_json right = nlohmann::ordered_json::array();
  nlohmann::ordered_json widths = right, low = right, high = right;
  for (const base::Interval& point : points) {
    right.push_back(point.mean);
    widths.push_back(point.half_width);
    low.push_back(point.low());
    high.push_back(point.high());
  }
  object["right"] = right;
  object["half_widths"] = widths;
  object["low"] = low;
  object["high"] = high;
}

}  // namespace zermelo::cli
