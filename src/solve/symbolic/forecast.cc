// Forecasts from two fits.
//
// In most games with a bounded length the layers grow, ever more slowly, and then shrink: the
// logarithm of their size is close to a parabola, like that of a binomial distribution. A least
// squares parabola through the last layers predicts the number and sizes of the remaining ones. It
// is useful once the growth has slowed down for some layers; while it predicts many times more
// layers than there are, nothing is forecast.
//
// The cost of a layer in time and disk space is proportional to its size, but the factor changes:
// values become more complex the farther they are from the end. The logarithm of the factor is
// extrapolated from the last layers with a damped trend (Gardner and McKenzie 1985), each step four
// fifths of the one before. On Connect Four 6x5, whose factor grows thirtyfold, this is closer than
// a linear trend or a constant factor. Memory is forecast as that of the layer that takes the most
// disk space, and at least the peak so far.

#include "solve/symbolic/forecast.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace zermelo::solve {
namespace {

struct Point {
  double x, y;
};

double mean(const std::vector<Point>& points, double (*of)(const Point&)) {
  const double sum = std::accumulate(points.begin(), points.end(), 0.0,
                                     [&](double s, const Point& p) { return s + of(p); });
  return sum / static_cast<double>(points.size());
}

// The least squares line through the points.
struct Line {
  double slope = 0, at_zero = 0;

  explicit Line(const std::vector<Point>& points) {
    const double x = mean(points, [](const Point& p) { return p.x; });
    const double y = mean(points, [](const Point& p) { return p.y; });
    double xx = 0, xy = 0;
    for (const Point& point : points) {
      xx += (point.x - x) * (point.x - x);
      xy += (point.x - x) * (point.y - y);
    }
    slope = xx > 0 ? xy / xx : 0;
    at_zero = y - slope * x;
  }
};

// The trend of the cost per size, for the layers after those that are done.
class Trend {
 public:
  // Ignores costs below `least`.
  Trend(const std::vector<LayerCost>& done, double LayerCost::*cost, double least) {
    constexpr std::size_t looked_at = 6, enough = 3;
    double sizes = 0, costs = 0;
    std::vector<Point> points;
    for (std::size_t i = 0; i < done.size(); ++i) {
      sizes += done[i].size;
      costs += done[i].*cost;
      if (done[i].*cost < least || done[i].size <= 0) continue;
      points.push_back({static_cast<double>(i), std::log(done[i].*cost / done[i].size)});
    }
    if (sizes > 0 && costs > 0) now_ = std::log(costs / sizes);
    if (points.size() < enough) return;
    points.erase(points.begin(),
                 points.end() - static_cast<std::ptrdiff_t>(std::min(points.size(), looked_at)));
    const Line line(points);
    now_ = line.at_zero + line.slope * points.back().x;
    step_ = line.slope;
  }

  // The cost of the next layer. To be called once per layer.
  double next(double size) {
    constexpr double damping = 0.8;
    step_ *= damping;
    now_ += step_;
    return size * std::exp(now_);
  }

 private:
  double now_ = -std::numeric_limits<double>::infinity();  // the logarithm of cost by size
  double step_ = 0;
};

}  // namespace

std::optional<std::vector<double>> next_sizes(const std::vector<double>& sizes) {
  constexpr std::size_t needed = 6, looked_at = 8, max_factor = 3;
  std::vector<Point> growth;  // of the logarithm, from each layer to the next
  for (std::size_t l = sizes.size() - std::min(sizes.size(), looked_at); l + 1 < sizes.size();
       ++l) {
    if (sizes[l] <= 0 || sizes[l + 1] <= 0) return std::nullopt;
    growth.push_back({static_cast<double>(l), std::log(sizes[l + 1] / sizes[l])});
  }
  if (growth.size() + 1 < needed) return std::nullopt;
  const Line line(growth);
  if (line.slope >= 0) return std::nullopt;
  std::vector<double> next;
  double size = sizes.back();
  for (std::size_t l = sizes.size() - 1;; ++l) {
    size *= std::exp(line.at_zero + line.slope * static_cast<double>(l));
    if (size < sizes.front()) break;
    next.push_back(size);
    if (next.size() > max_factor * sizes.size()) return std::nullopt;
  }
  return next;
}

Forecast forecast(const std::vector<LayerCost>& done, const std::vector<double>& sizes) {
  assert(!done.empty());
  constexpr double least_seconds = 0.01, least_bytes = 1000;
  Trend seconds(done, &LayerCost::seconds, least_seconds);
  Trend disk(done, &LayerCost::disk_bytes, least_bytes);
  double largest = 0;
  for (const LayerCost& layer : done) largest = std::max(largest, layer.disk_bytes);
  const double base = done.front().peak_bytes, peak = done.back().peak_bytes;
  Forecast left{sizes.size(), 0, 0, peak};
  for (const double size : sizes) {
    const double bytes = disk.next(size);
    left.seconds += seconds.next(size);
    left.disk_bytes += bytes;
    if (largest > 0)
      left.peak_bytes = std::max(left.peak_bytes, base + (peak - base) * bytes / largest);
  }
  return left;
}

}  // namespace zermelo::solve
