#include "solve/symbolic/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace zermelo::solve {
namespace {

// The number of subsets of that many elements, by size: what layers look like in many games.
std::vector<double> binomials(int n) {
  std::vector<double> sizes = {1};
  for (int k = 0; k < n; ++k) sizes.push_back(sizes.back() * (n - k) / (k + 1));
  return sizes;
}

double sum(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

// What is forecast after so many layers, as a part of what comes.
double forecast_part(const std::vector<double>& all, std::size_t found) {
  const auto next = next_sizes({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(found)});
  const std::vector<double> rest(all.begin() + static_cast<std::ptrdiff_t>(found), all.end());
  return next ? sum(*next) / sum(rest) : 0;
}

TEST(Forecast, LayersThatGrowMoreSlowlyWillShrink) {
  const std::vector<double> all = binomials(40);
  EXPECT_NEAR(forecast_part(all, 16), 1, 0.4);
  EXPECT_NEAR(forecast_part(all, 22), 1, 0.1);
  EXPECT_NEAR(forecast_part(all, 30), 1, 0.1);
}

TEST(Forecast, GrowthThatDoesNotSlowDownTellsNothing) {
  EXPECT_FALSE(next_sizes({1, 2, 4, 8, 16, 32, 64, 128, 256}));
  EXPECT_FALSE(next_sizes({1, 8, 32, 64, 64}));
  EXPECT_FALSE(next_sizes({1, 8, 32, 0, 64, 32, 16, 8}));
}

TEST(Forecast, GrowthThatHardlySlowsDownTellsNothing) {
  std::vector<double> sizes = {1};
  for (int k = 0; k < 18; ++k) sizes.push_back(sizes.back() * std::exp(0.6 - 0.005 * k));
  EXPECT_FALSE(next_sizes(sizes));
}

// Layers that double, whose cost by size grows by a factor from one to the next.
std::vector<LayerCost> doubling(int layers, double factor) {
  std::vector<LayerCost> done;
  for (int l = 0; l < layers; ++l) {
    const double size = std::pow(2, l) * 1e4, by_size = std::pow(factor, l);
    done.push_back({size, by_size * size / 1e4, by_size * size / 2, 10e6 + 100 * by_size * size});
  }
  return done;
}

TEST(Forecast, CostsFollowTheSize) {
  const Forecast left = forecast(doubling(5, 1), {32e4, 16e4});
  EXPECT_EQ(left.layers, 2u);
  EXPECT_NEAR(left.seconds, 48, 1e-6);
  EXPECT_NEAR(left.disk_bytes, 24e4, 1e-6);
  EXPECT_NEAR(left.peak_bytes, 10e6 + 100 * 32e4, 2e6);
}

TEST(Forecast, CostsThatGrowFasterThanTheSizeLevelOff) {
  const std::vector<double> sizes(20, 64e4);
  const double even = forecast(doubling(6, 1), sizes).seconds;
  const double growing = forecast(doubling(6, 1.2), sizes).seconds;
  const double last = std::pow(1.2, 5);
  EXPECT_GT(growing, even * last * 1.2);
  EXPECT_LT(growing, even * last * std::pow(1.2, 4));
}

TEST(Forecast, MemoryIsNeverLessThanItWas) {
  const std::vector<LayerCost> done = {{5, 0.001, 5, 30e6}, {100, 0.002, 100, 80e6}};
  const Forecast left = forecast(done, {50, 20});
  EXPECT_EQ(left.peak_bytes, 80e6);
  EXPECT_NEAR(left.seconds, 0.002, 1e-3);
}

}  // namespace
}  // namespace zermelo::solve
