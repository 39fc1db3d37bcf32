// What studies show of measured shares: the same numbers as text, table, CSV and JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "cli/svg_chart.h"

namespace zermelo::cli {

// "12.7 (10.8 to 14.9)": in percent, with its interval. Wilson's is not centred on the share.
std::string percent(const base::Interval& share);

// A row for each curve: its shares after so many samples; the points are `every` samples apart.
std::string curve_table(const std::vector<Curve>& curves, std::uint32_t every,
                        std::span<const std::uint32_t> samples);

// "mean,low,high".
std::string csv_cells(const base::Interval& interval);

// Adds the lists `right`, `half_widths`, `low` and `high`, each by point.
void add_points(nlohmann::ordered_json& object, const std::vector<base::Interval>& points);

}  // namespace zermelo::cli
