#include "eval/network/learning_curve.h"

namespace zermelo::eval::network {
namespace {

constexpr std::size_t max_points = 128;

LearningCurve::Point merged(const LearningCurve::Point& first, const LearningCurve::Point& second) {
  const std::uint64_t positions = first.positions + second.positions;
  const double sum = first.error * static_cast<double>(first.positions) +
                     second.error * static_cast<double>(second.positions);
  return {second.step, positions, sum / static_cast<double>(positions)};
}

}  // namespace

void LearningCurve::add(std::uint64_t positions, double error) {
  if (positions == 0) return;
  const std::uint64_t before = points_.empty() ? 0 : points_.back().step;
  const Point point{before + positions, positions, error};
  const bool continues = !points_.empty() && rounds_in_last_ < rounds_per_point_;
  if (continues) {
    points_.back() = merged(points_.back(), point);
    ++rounds_in_last_;
    return;
  }
  if (points_.size() == max_points) merge_neighbours();
  points_.push_back(point);
  rounds_in_last_ = 1;
}

void LearningCurve::merge_neighbours() {
  std::vector<Point> coarse;
  for (std::size_t i = 0; i + 1 < points_.size(); i += 2) {
    coarse.push_back(merged(points_[i], points_[i + 1]));
  }
  points_ = std::move(coarse);
  rounds_per_point_ *= 2;
}

}  // namespace zermelo::eval::network
