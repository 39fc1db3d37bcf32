// Coordinates in the plane for places that are only known by their neighbours.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace zermelo::analysis::scene {

struct Point {
  double x = 0, y = 0;
};

using Links = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Points whose distances are close to the numbers of links between them. Always the same for the
// same links. Linked places are about 1 apart. Unconnected parts are placed side by side.
std::vector<Point> layout(std::size_t places, const Links& links);

// Turns the points, possibly as in a mirror, so that places of the same line are level: those with
// equal `line`, which are drawn from the top by ascending line and from the left by ascending
// order.
void level(std::vector<Point>& points, const std::vector<std::uint32_t>& line);

}  // namespace zermelo::analysis::scene
