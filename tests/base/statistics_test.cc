#include "base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
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

TEST(Statistics, IntervalsStayInTheRange) {
  const std::vector<double> goals{100, 100, 0};
  EXPECT_GT(confidence_95(goals).high(), 200);
  const Interval interval = confidence_95(goals, {0, 100});
  EXPECT_EQ(interval.low(), 0);
  EXPECT_EQ(interval.high(), 100);
  EXPECT_EQ(interval.half_width, confidence_95(goals).half_width);
  const Interval inside = confidence_95(std::vector<double>{49, 50, 51}, {0, 100});
  EXPECT_NEAR(inside.low(), 47.52, 0.01);
  EXPECT_NEAR(inside.high(), 52.48, 0.01);
}

TEST(Statistics, SharesStayBetweenZeroAndOne) {
  for (std::uint64_t trials = 0; trials < 300; ++trials) {
    for (const std::uint64_t successes : {std::uint64_t{0}, trials}) {
      EXPECT_GE(share_95(successes, trials).low(), 0);
      EXPECT_LE(share_95(successes, trials).high(), 1);
    }
  }
}

// Wilson's bounds solve |p - share| = z sqrt(p (1 - p) / n) for the true p.
TEST(Statistics, IntervalOfAShare) {
  for (const auto& [successes, trials] : {std::pair(3, 10), {0, 200}, {200, 200}, {1, 1}}) {
    const Interval share = share_95(successes, trials);
    EXPECT_DOUBLE_EQ(share.mean, double(successes) / trials);
    for (const double p : {share.low(), share.high()}) {
      EXPECT_GE(p, -1e-12);
      EXPECT_LE(p, 1 + 1e-12);
      EXPECT_NEAR(std::abs(p - share.mean), 1.959964 * std::sqrt(std::abs(p * (1 - p)) / trials),
                  1e-6);
    }
  }
  EXPECT_NEAR(share_95(200, 200).low(), 0.9812, 0.0001);
  EXPECT_NEAR(share_95(200, 200).high(), 1, 1e-12);
  EXPECT_EQ(share_95(0, 0).low(), 0);
  EXPECT_EQ(share_95(0, 0).high(), 1);
}

}  // namespace
}  // namespace zermelo::base
