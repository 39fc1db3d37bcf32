// Forecasts by two fits.
//
// In most games with a last move the layers grow, ever more slowly, and shrink again: the logarithm
// of their size is close to a parabola, as that of a binomial distribution. The parabola through
// the last layers, by least squares, says how large those to come will be and how many there are.
// It is of use once the growth has slowed down for some layers.
//
// The time a layer takes grows a little faster than its size, as tables outgrow the caches. Its
// logarithm is taken to be a line over that of the size, again by least squares over the layers
// that took long enough to be measured. Bytes on disk are in proportion to the size; memory is
// that of the largest layer, in proportion as well, and never less than it was.

#include "solve/forecast.h"

#include <algorithm>
#include <cassert>
#include <cmath>
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

// The line through the points that is nearest to them.
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

// How the seconds of a layer follow from its size.
class Pace {
 public:
  explicit Pace(const std::vector<LayerCost>& done) {
    constexpr double measurable = 0.01;
    std::vector<Point> points;
    double sizes = 0, seconds = 0;
    for (const LayerCost& layer : done) {
      sizes += layer.size;
      seconds += layer.seconds;
      if (layer.seconds < measurable || layer.size <= 0) continue;
      points.push_back({std::log(layer.size), std::log(layer.seconds)});
    }
    by_size_ = sizes > 0 ? seconds / sizes : 0;
    constexpr std::size_t enough = 4;
    if (points.size() < enough) return;
    const Line line(points);
    constexpr double least = 0.8, most = 1.5;
    power_ = std::clamp(line.slope, least, most);
    const double x = mean(points, [](const Point& p) { return p.x; });
    const double y = mean(points, [](const Point& p) { return p.y; });
    by_size_ = std::exp(y - power_ * x);
  }

  double seconds(double size) const { return by_size_ * std::pow(size, power_); }

 private:
  double by_size_ = 0, power_ = 1;
};

}  // namespace

std::optional<std::vector<double>> next_sizes(const std::vector<double>& sizes) {
  constexpr std::size_t needed = 6, looked_at = 8, most = 10'000;
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
  for (std::size_t l = sizes.size() - 1; next.size() < most; ++l) {
    size *= std::exp(line.at_zero + line.slope * static_cast<double>(l));
    if (size < sizes.front()) break;
    next.push_back(size);
  }
  return next;
}

Forecast forecast(const std::vector<LayerCost>& done, const std::vector<double>& sizes) {
  assert(!done.empty());
  const Pace pace(done);
  double size = 0, largest = 0, disk = 0;
  for (const LayerCost& layer : done) {
    size += layer.size;
    largest = std::max(largest, layer.size);
    disk += layer.disk_bytes;
  }
  Forecast left{sizes.size(), 0, 0, done.back().peak_bytes};
  for (const double next : sizes) {
    left.seconds += pace.seconds(next);
    left.disk_bytes += size > 0 ? disk * next / size : 0;
    if (next <= largest || largest <= 0) continue;
    const double base = done.front().peak_bytes;
    const double peak = base + (done.back().peak_bytes - base) * next / largest;
    left.peak_bytes = std::max(left.peak_bytes, peak);
  }
  return left;
}

}  // namespace zermelo::solve
