#include "cli/experiment_text.h"

#include <gtest/gtest.h>

namespace zermelo::cli {
namespace {

// Wilson's interval of one success in 500: from 0.04 to 1.1%, not 0.2 plus or minus 0.5.
TEST(ExperimentText, IntervalsAreShownByTheirBounds) {
  EXPECT_EQ(percent(base::share_95(1, 500)), "0.2 (0.0 to 1.1)");
}

TEST(ExperimentText, TableTakesThePointsOfItsTitles) {
  const app::Curve curve{"UCT", {{0.1, 0}, {0.2, 0}, {0.3, 0}}};
  constexpr std::uint32_t samples[] = {50, 150};
  EXPECT_EQ(curve_table({curve}, 50, samples),
            "agent                   50                  150\n"
            "  UCT  10.0 (10.0 to 10.0)  30.0 (30.0 to 30.0)\n");
}

}  // namespace
}  // namespace zermelo::cli
