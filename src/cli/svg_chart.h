// Curves with their intervals as an SVG picture.
#pragma once

#include <string>
#include <vector>

#include "base/statistics.h"

namespace zermelo::cli {

struct Curve {
  std::string name;
  std::vector<base::Interval> points;  // from 0 to 1, at equal distances
};

struct Chart {
  std::string title;
  std::string x_title;
  double first_x = 0, last_x = 1;  // of the points
  std::vector<Curve> curves;
};

std::string svg(const Chart& chart);

}  // namespace zermelo::cli
