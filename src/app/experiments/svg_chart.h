// Curves with their intervals as an SVG picture.
#pragma once

#include <string>
#include <vector>

#include "base/statistics.h"

namespace zermelo::app {

struct Curve {
  std::string name;
  std::vector<base::Interval> points;  // from 0 to 1
  std::vector<double> x = {};          // by point; empty: equal distances, the last at `last_x`
};

struct Chart {
  std::string title;
  std::string x_title, y_title;
  double last_x = 1;  // the axis starts at 0
  std::vector<Curve> curves;
};

// The bands around the curves are the intervals.
std::string svg_of(const Chart& chart);

}  // namespace zermelo::app
