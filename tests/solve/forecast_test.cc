#include "solve/forecast.h"

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

TEST(Forecast, TimeGrowsAsItDid) {
  std::vector<LayerCost> done;
  for (const double size : {1e4, 2e4, 4e4, 8e4, 16e4}) {
    done.push_back({size, std::pow(size / 1e4, 1.2), size / 2, 10e6 + 100 * size});
  }
  const Forecast left = forecast(done, {32e4, 16e4});
  EXPECT_EQ(left.layers, 2u);
  EXPECT_NEAR(left.seconds, std::pow(32, 1.2) + std::pow(16, 1.2), 1e-6);
  EXPECT_NEAR(left.disk_bytes, 24e4, 1e-6);
  EXPECT_NEAR(left.peak_bytes, 10e6 + 100 * 32e4, 2e6);
}

TEST(Forecast, MemoryIsNeverLessThanItWas) {
  const std::vector<LayerCost> done = {{5, 0.001, 5, 30e6}, {100, 0.002, 100, 80e6}};
  const Forecast left = forecast(done, {50, 20});
  EXPECT_EQ(left.peak_bytes, 80e6);
  EXPECT_NEAR(left.seconds, 0.002, 1e-3);
}

}  // namespace
}  // namespace zermelo::solve
