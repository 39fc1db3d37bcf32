#include "app/experiments/svg_chart.h"

#include <gtest/gtest.h>

namespace zermelo::app {
namespace {

std::string picture(std::size_t points) {
  Chart chart{"title", "samples", 3'000, {{"UCT", {}}}};
  for (std::size_t i = 1; i <= points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points);
    chart.curves[0].points.push_back({share, 0.1, 0.5});
  }
  return svg(chart);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The axis is 640 wide and begins at 60 with 0; the curve is 360 high and ends at 40 with 100%.
TEST(SvgChart, PointsStandAtTheirSamples) {
  EXPECT_TRUE(contains(picture(4),
                       "<polyline points=\"220.0,310.0 380.0,220.0 "
                       "540.0,130.0 700.0,40.0 \""));
}

TEST(SvgChart, PointsOfAThinnedCurveToo) {
  EXPECT_TRUE(contains(picture(300), "<polyline points=\"66.4,396.4 72.8,392.8 "));
}

TEST(SvgChart, AxisIsLabelledFromZero) {
  const std::string text = picture(300);
  EXPECT_TRUE(contains(text, "<text x=\"60\" y=\"418\" text-anchor=\"middle\">0</text>"));
  EXPECT_TRUE(contains(text, "<text x=\"700\" y=\"418\" text-anchor=\"middle\">3000</text>"));
}

// Not around the mean: from 0.4 to 0.6.
TEST(SvgChart, BandsAreTheIntervals) {
  EXPECT_TRUE(contains(picture(2),
                       "<polygon points=\"380.0,184.0 700.0,184.0 "
                       "700.0,256.0 380.0,256.0 \""));
}

}  // namespace
}  // namespace zermelo::app
