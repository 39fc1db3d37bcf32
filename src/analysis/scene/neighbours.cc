#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/scene/layout.h"
#include "analysis/scene/recognise.h"

namespace zermelo::analysis::scene {
namespace {

using PlaceNumbers = std::map<Words, std::uint32_t>;

void sort_links(Links& links) {
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
}

// The pairs of places at two offsets of the tuples of a relation.
Links links_at(const Relation& relation, std::size_t from, std::size_t to, std::size_t width,
               const PlaceNumbers& numbers) {
  Links links;
  for (const Words& tuple : relation.tuples) {
    const auto part = [&](std::size_t first) {
      return numbers.find(Words(tuple.begin() + static_cast<std::ptrdiff_t>(first),
                                tuple.begin() + static_cast<std::ptrdiff_t>(first + width)));
    };
    const auto a = part(from), b = part(to);
    if (a == numbers.end() || b == numbers.end() || a->second == b->second) continue;
    links.push_back(std::minmax(a->second, b->second));
  }
  sort_links(links);
  return links;
}

std::vector<std::size_t> degrees(std::size_t places, const Links& links) {
  std::vector<std::size_t> degree(places);
  for (const auto& [a, b] : links) {
    ++degree[a];
    ++degree[b];
  }
  return degree;
}

std::size_t most_neighbours(std::size_t places, const Links& links) {
  const auto degree = degrees(places, links);
  return degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
}

// The number of parts that no link joins.
std::size_t parts(std::size_t places, const Links& links) {
  std::vector<std::uint32_t> part(places);
  for (std::uint32_t i = 0; i < places; ++i) part[i] = i;
  std::size_t count = places;
  for (const auto& [a, b] : links) {
    const std::uint32_t from = part[a], to = part[b];
    if (from == to) continue;
    std::replace(part.begin(), part.end(), from, to);
    --count;
  }
  return count;
}

// Whether the links only repeat the order of the places, or join nearly all with all.
bool says_nothing(std::size_t places, const Links& links) {
  if (links.empty()) return true;
  const bool is_chain = std::all_of(links.begin(), links.end(),
                                    [](const auto& link) { return link.second == link.first + 1; });
  if (is_chain) return true;
  const double all = 0.5 * static_cast<double>(places) * static_cast<double>(places - 1);
  return places > 5 && static_cast<double>(links.size()) > 0.5 * all;
}

bool joins_enough(std::size_t places, const Links& links) {
  const auto degree = degrees(places, links);
  const auto joined =
      std::count_if(degree.begin(), degree.end(), [](std::size_t d) { return d > 0; });
  return 10 * static_cast<std::size_t>(joined) >= 8 * places;
}

bool is_like_hexagons(const Picture::Board& board) {
  const auto degree = degrees(board.cells.size(), board.links);
  const auto inner = std::count(degree.begin(), degree.end(), 6);
  if (most_neighbours(board.cells.size(), board.links) != 6) return false;
  if (6 * static_cast<std::size_t>(inner) < board.cells.size()) return false;
  double shortest = 1e9, longest = 0;
  for (const auto& [a, b] : board.links) {
    const double length =
        std::hypot(board.cells[a].x - board.cells[b].x, board.cells[a].y - board.cells[b].y);
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
  }
  return longest < 1.6 * shortest;
}

}  // namespace

std::vector<Neighbourhood> neighbourhoods(const std::vector<Words>& places,
                                          const std::vector<Relation>& relations) {
  PlaceNumbers numbers;
  for (std::uint32_t i = 0; i < places.size(); ++i) numbers.emplace(places[i], i);
  const std::size_t width = places.empty() ? 1 : places.front().size();
  std::vector<Neighbourhood> found;
  Links together;
  for (const Relation& relation : relations) {
    for (std::size_t from = 0; from + 2 * width <= relation.arity; ++from) {
      for (std::size_t to = from + width; to + width <= relation.arity; ++to) {
        Links links = links_at(relation, from, to, width, numbers);
        if (says_nothing(places.size(), links)) continue;
        if (most_neighbours(places.size(), links) <= 6) {
          together.insert(together.end(), links.begin(), links.end());
        }
        if (joins_enough(places.size(), links)) found.push_back({std::move(links), relation.name});
      }
    }
  }
  sort_links(together);
  if (!says_nothing(places.size(), together) && joins_enough(places.size(), together)) {
    found.push_back({std::move(together), ""});
  }
  return found;
}

Neighbourhood find_neighbours(const std::vector<Words>& places,
                              const std::vector<Relation>& relations) {
  const std::vector<Neighbourhood> found = neighbourhoods(places, relations);
  const auto rank = [&](const Neighbourhood& candidate) {
    return std::pair(parts(places.size(), candidate.links), candidate.links.size());
  };
  const auto best = std::min_element(
      found.begin(), found.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return best == found.end() ? Neighbourhood{} : *best;
}

void set_points(Picture::Board& board, const std::vector<Point>& points) {
  double left = points[0].x, right = left, top = points[0].y, bottom = top;
  for (const Point& point : points) {
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    top = std::min(top, point.y);
    bottom = std::max(bottom, point.y);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    board.cells[i].x = points[i].x - left + 0.5;
    board.cells[i].y = points[i].y - top + 0.5;
  }
  board.width = right - left + 1;
  board.height = bottom - top + 1;
}

void lay_out(Picture::Board& board, const Neighbourhood& neighbours,
             const std::vector<std::uint32_t>& line) {
  std::vector<Point> points = layout(board.cells.size(), neighbours.links);
  level(points, line);
  set_points(board, points);
  board.links = neighbours.links;
  board.shape = is_like_hexagons(board) ? Picture::Shape::hexagons : Picture::Shape::graph;
}

}  // namespace zermelo::analysis::scene
