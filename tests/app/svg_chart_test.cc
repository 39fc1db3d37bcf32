#include "app/experiments/svg_chart.h"

#include <gtest/gtest.h>

namespace zermelo::app {
namespace {

std::string picture(std::size_t points) {
  Chart chart{"title", "samples", "answers", 3'000, {{"UCT", {}}}};
  for (std::size_t i = 1; i <= points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points);
    chart.curves[0].points.push_back({share, 0.1, 0.5});
  }
  return svg_of(chart);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The axis is 640 wide and begins at 74 with 0; the curve is 360 high and ends at 44 with 100%.
TEST(SvgChart, PointsStandAtTheirSamples) {
  EXPECT_TRUE(contains(picture(4),
                       "<polyline points=\"234.0,314.0 394.0,224.0 "
                       "554.0,134.0 714.0,44.0 \""));
}

TEST(SvgChart, PointsOfAThinnedCurveToo) {
  EXPECT_TRUE(contains(picture(300), "<polyline points=\"80.4,400.4 86.8,396.8 "));
}

TEST(SvgChart, AxesHaveTitlesAndTicksFromZero) {
  const std::string text = picture(300);
  const std::string middle = "y=\"423.0\" text-anchor=\"middle\" font-size=\"12\">";
  EXPECT_TRUE(contains(text, "<text x=\"74.0\" " + middle + "0</text>"));
  EXPECT_TRUE(contains(text, "<text x=\"714.0\" " + middle + "3,000</text>"));
  for (const char* title : {">title<", ">samples<", ">answers<", ">UCT<", ">500<", ">25%<"}) {
    EXPECT_TRUE(contains(text, title)) << title;
  }
}

// Not around the mean: from 0.4 to 0.6.
TEST(SvgChart, BandsAreTheIntervals) {
  EXPECT_TRUE(contains(picture(2),
                       "<polygon points=\"394.0,188.0 714.0,188.0 "
                       "714.0,260.0 394.0,260.0 \""));
}

}  // namespace
}  // namespace zermelo::app
