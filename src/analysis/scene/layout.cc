// Stress majorisation (Gansner, Koren and North, "Graph Drawing by Stress Majorization", 2004): the
// stress of a drawing is the sum over all pairs of places of (distance in the plane - number of
// links)^2 / (number of links)^2. Each step moves every place to the weighted mean of the positions
// that its pairs ask for, which never increases the stress.
//
// The first drawing is classical scaling: the two main eigenvectors of the doubly centred matrix of
// squared distances, found by power iteration. It unfolds boards such as stars and hexagons
// correctly, where a random start often leaves a fold. The boards of games have at most some
// hundred places, so that the quadratic cost per step does not matter.
#include "analysis/scene/layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <numbers>

namespace zermelo::analysis::scene {
namespace {

using Matrix = std::vector<std::vector<double>>;

constexpr int power_steps = 300;
constexpr int stress_steps = 300;
constexpr double between_parts = 2;

// Numbers of links by breadth-first search; -1 between unconnected places.
Matrix link_distances(std::size_t places, const Links& links) {
  std::vector<std::vector<std::uint32_t>> neighbours(places);
  for (const auto& [a, b] : links) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  Matrix distance(places, std::vector<double>(places, -1));
  for (std::uint32_t start = 0; start < places; ++start) {
    distance[start][start] = 0;
    std::deque<std::uint32_t> open{start};
    while (!open.empty()) {
      const std::uint32_t here = open.front();
      open.pop_front();
      for (const std::uint32_t next : neighbours[here]) {
        if (distance[start][next] >= 0) continue;
        distance[start][next] = distance[start][here] + 1;
        open.push_back(next);
      }
    }
  }
  return distance;
}

Matrix doubly_centred(const Matrix& distance) {
  const std::size_t n = distance.size();
  std::vector<double> mean(n);
  double all = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      mean[i] += distance[i][j] * distance[i][j] / static_cast<double>(n);
    }
    all += mean[i] / static_cast<double>(n);
  }
  Matrix centred = distance;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      centred[i][j] = -0.5 * (distance[i][j] * distance[i][j] - mean[i] - mean[j] + all);
    }
  }
  return centred;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// The main eigenvector, of length 1, and its eigenvalue, which is taken out of the matrix.
std::pair<std::vector<double>, double> take_eigenvector(Matrix& matrix, double start) {
  const std::size_t n = matrix.size();
  std::vector<double> vector(n), next(n);
  for (std::size_t i = 0; i < n; ++i) {
    vector[i] =
        0.1 + std::sin(start + 1.7 * static_cast<double>(i));  // has a part in all directions
  }
  double value = 0;
  for (int step = 0; step < power_steps; ++step) {
    for (std::size_t i = 0; i < n; ++i) next[i] = product(matrix[i], vector);
    value = std::sqrt(product(next, next));
    if (value < 1e-9) break;
    for (std::size_t i = 0; i < n; ++i) vector[i] = next[i] / value;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) matrix[i][j] -= value * vector[i] * vector[j];
  }
  return {vector, value};
}

std::vector<Point> classical_scaling(const Matrix& distance) {
  Matrix matrix = doubly_centred(distance);
  const auto [first, first_value] = take_eigenvector(matrix, 0);
  const auto [second, second_value] = take_eigenvector(matrix, 1);
  std::vector<Point> points(distance.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = {first[i] * std::sqrt(first_value), second[i] * std::sqrt(second_value)};
  }
  return points;
}

void reduce_stress(const Matrix& distance, std::vector<Point>& points) {
  const std::size_t n = points.size();
  for (int step = 0; step < stress_steps; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      Point sum;
      double weights = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) continue;
        const double wanted = distance[i][j], weight = 1 / (wanted * wanted);
        const double dx = points[i].x - points[j].x, dy = points[i].y - points[j].y;
        const double length = std::max(std::hypot(dx, dy), 1e-6);
        sum.x += weight * (points[j].x + wanted * dx / length);
        sum.y += weight * (points[j].y + wanted * dy / length);
        weights += weight;
      }
      points[i] = {sum.x / weights, sum.y / weights};
    }
  }
}

std::vector<Point> connected_layout(const Matrix& distance) {
  if (distance.size() == 1) return {Point{}};
  std::vector<Point> points = classical_scaling(distance);
  reduce_stress(distance, points);
  return points;
}

// The places that are connected with one that is not in a part yet, part by part.
std::vector<std::vector<std::uint32_t>> parts_of(const Matrix& distance) {
  std::vector<std::vector<std::uint32_t>> parts;
  std::vector<bool> done(distance.size());
  for (std::uint32_t i = 0; i < distance.size(); ++i) {
    if (done[i]) continue;
    parts.emplace_back();
    for (std::uint32_t j = i; j < distance.size(); ++j) {
      if (distance[i][j] < 0) continue;
      parts.back().push_back(j);
      done[j] = true;
    }
  }
  return parts;
}

Point turned(const Point& point, double angle, bool mirrored) {
  const double x = mirrored ? -point.x : point.x;
  return {x * std::cos(angle) - point.y * std::sin(angle),
          x * std::sin(angle) + point.y * std::cos(angle)};
}

// How far the places of a line are from their mean height, and how far the lines and the order in a
// line are from ascending ones: smaller is better.
double disorder(const std::vector<Point>& points, const std::vector<std::uint32_t>& line) {
  const std::uint32_t lines = *std::max_element(line.begin(), line.end()) + 1;
  std::vector<double> height(lines), count(lines);
  for (std::size_t i = 0; i < points.size(); ++i) {
    height[line[i]] += points[i].y;
    ++count[line[i]];
  }
  for (std::size_t l = 0; l < lines; ++l) height[l] /= std::max(count[l], 1.0);
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double above = points[i].y - height[line[i]];
    sum += above * above;
    if (i == 0) continue;
    const bool same = line[i] == line[i - 1];
    if (same && points[i].x < points[i - 1].x) sum += 0.1;
    if (!same && points[i].y < points[i - 1].y) sum += 0.1;
  }
  return sum;
}

}  // namespace

std::vector<Point> layout(std::size_t places, const Links& links) {
  const Matrix distance = link_distances(places, links);
  std::vector<Point> points(places);
  double left = 0;
  for (const std::vector<std::uint32_t>& part : parts_of(distance)) {
    Matrix within(part.size(), std::vector<double>(part.size()));
    for (std::size_t i = 0; i < part.size(); ++i) {
      for (std::size_t j = 0; j < part.size(); ++j) within[i][j] = distance[part[i]][part[j]];
    }
    const std::vector<Point> local = connected_layout(within);
    double first = local[0].x, last = local[0].x;
    for (const Point& point : local) {
      first = std::min(first, point.x);
      last = std::max(last, point.x);
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      points[part[i]] = {left + local[i].x - first, local[i].y};
    }
    left += last - first + between_parts;
  }
  return points;
}

void level(std::vector<Point>& points, const std::vector<std::uint32_t>& line) {
  if (points.size() < 2) return;
  constexpr int directions = 360;
  std::vector<Point> best = points;
  double least = disorder(points, line);
  for (const bool mirrored : {false, true}) {
    for (int k = 0; k < directions; ++k) {
      std::vector<Point> candidate = points;
      for (Point& point : candidate) {
        point = turned(point, 2 * std::numbers::pi * k / directions, mirrored);
      }
      const double found = disorder(candidate, line);
      if (found >= least - 1e-9) continue;
      least = found;
      best = std::move(candidate);
    }
  }
  points = std::move(best);
}

}  // namespace zermelo::analysis::scene
