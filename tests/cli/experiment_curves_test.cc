#include "cli/experiment_curves.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace zermelo::cli {
namespace {

// Wilson's interval of one success in 500: from 0.04 to 1.1%, not 0.2 plus or minus 0.5.
TEST(ExperimentCurves, IntervalsAreShownByTheirBounds) {
  const base::Interval share = base::share_95(1, 500);
  EXPECT_EQ(percent(share), "0.2 (0.0 to 1.1)");
  EXPECT_EQ(csv_cells(share), "0.0020,0.0004,0.0112");
}

TEST(ExperimentCurves, TableTakesThePointsOfItsTitles) {
  const Curve curve{"UCT", {{0.1, 0}, {0.2, 0}, {0.3, 0}}};
  constexpr std::uint32_t samples[] = {50, 150};
  EXPECT_EQ(curve_table({curve}, 50, samples),
            "agent                   50                  150\n"
            "  UCT  10.0 (10.0 to 10.0)  30.0 (30.0 to 30.0)\n");
}

TEST(ExperimentCurves, JsonHasTheBoundsOfEveryPoint) {
  nlohmann::ordered_json object = {{"agent", "UCT"}};
  add_points(object, {{0.25, 0.25, 0.5}, {0.5, 0.25}});
  EXPECT_EQ(object.dump(), R"({"agent":"UCT","right":[0.25,0.5],"half_widths":[0.25,0.25],)"
                           R"("low":[0.25,0.25],"high":[0.75,0.75]})");
}

}  // namespace
}  // namespace zermelo::cli
