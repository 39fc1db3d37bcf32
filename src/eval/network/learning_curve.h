// The error of a network while it is trained, by the number of positions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zermelo::eval::network {

// Keeps at most 128 points: when there would be more, neighbours are merged.
class LearningCurve {
 public:
  struct Point {
    std::uint64_t step;  // positions until the end of this point's interval
    std::uint64_t positions;
    double error;  // mean over the interval
    bool operator==(const Point&) const = default;
  };

  LearningCurve() = default;
  // `rounds_per_point` as rounds_per_point() returned.
  LearningCurve(std::vector<Point> points, std::uint64_t rounds_per_point,
                std::uint64_t rounds_in_last)
      : points_(std::move(points)),
        rounds_per_point_(rounds_per_point),
        rounds_in_last_(rounds_in_last) {}

  void add(std::uint64_t positions, double error);
  std::span<const Point> points() const { return points_; }
  std::uint64_t rounds_per_point() const { return rounds_per_point_; }
  std::uint64_t rounds_in_last() const { return rounds_in_last_; }

 private:
  void merge_neighbours();

  std::vector<Point> points_;
  std::uint64_t rounds_per_point_ = 1;
  std::uint64_t rounds_in_last_ = 0;
};

}  // namespace zermelo::eval::network
