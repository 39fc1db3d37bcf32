#include "base/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace zermelo::base {
namespace {

// Values from printed tables.
TEST(Statistics, StudentT) {
  EXPECT_NEAR(student_t_95(1), 12.706, 0.001);
  EXPECT_NEAR(student_t_95(4), 2.776, 0.001);
  EXPECT_NEAR(student_t_95(5), 2.571, 0.005);
  EXPECT_NEAR(student_t_95(49), 2.0096, 0.0002);
  EXPECT_NEAR(student_t_95(1000), 1.9623, 0.0002);
}

// Mean 3, deviation sqrt(2.5), t with 4 degrees 2.776: 2.776 * 1.5811 / 2.2361.
TEST(Statistics, IntervalByHand) {
  const Interval interval = confidence_95(std::vector<double>{1, 2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(interval.mean, 3);
  EXPECT_NEAR(interval.half_width, 1.963, 0.005);
  EXPECT_EQ(confidence_95(std::vector<double>{7}).half_width, 0);
}

// A share is the mean of ones and zeros.
TEST(Statistics, IntervalOfAShare) {
  const Interval share = share_95(3, 10);
  const Interval mean = confidence_95(std::vector<double>{1, 1, 1, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(share.mean, mean.mean);
  EXPECT_DOUBLE_EQ(share.half_width, mean.half_width);
  EXPECT_EQ(share_95(1, 1).half_width, 0);
}

}  // namespace
}  // namespace zermelo::base
