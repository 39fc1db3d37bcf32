// (line 1 1 1 2) is drawn between two points, as in dots and boxes: the points are the corners of
// the cells, so that a cell is named by its first corner. (wall 3 5 3 6) is between two cells.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "analysis/scene/frames.h"

namespace zermelo::analysis::scene {
namespace {

using Placement = SceneModel::Placement;
using Coordinates = SceneModel::Coordinates;

std::map<std::string, int> numbered(const Words& order) {
  std::map<std::string, int> numbers;
  for (std::size_t i = 0; i < order.size(); ++i) numbers.emplace(order[i], static_cast<int>(i));
  return numbers;
}

std::optional<Words> order_of_both(const Recognition& recognition, const Symbol& symbol,
                                   std::size_t a, std::size_t b) {
  std::set<std::string> values = symbol.values[a];
  values.insert(symbol.values[b].begin(), symbol.values[b].end());
  return in_order(values, recognition.relations);
}

class Edges {
 public:
  Edges(Recognition& recognition, const Coordinates& coordinates, const Symbol& symbol)
      : recognition_(recognition), coordinates_(coordinates), symbol_(symbol) {}

  void place_all() {
    for (std::size_t i = 0; i < symbol_.fluents.size(); ++i) place(i);
  }

 private:
  using Found = std::map<Words, SceneModel::PlaceOfBoard>::const_iterator;

  void place(std::size_t fluent) {
    const Words& arguments = symbol_.arguments[fluent];
    Words a(arguments.begin(), arguments.begin() + 2),
        b(arguments.begin() + 2, arguments.begin() + 4);
    Placement placement;
    placement.token_kind = is_wall(symbol_.name) ? "wall" : "edge";
    placement.text = symbol_.name;
    for (std::size_t i = 4; i < arguments.size(); ++i) placement.text += " " + arguments[i];
    const bool is_placed =
        is_wall(symbol_.name) ? between_cells(a, b, placement) : between_points(a, b, placement);
    if (is_placed) recognition_.place(symbol_, fluent, std::move(placement));
  }

  const Picture::Cell& cell(const Found& at) const {
    return recognition_.model.boards[at->second.board].cells[at->second.place];
  }

  static void set(Placement& placement, const Found& at, Picture::Side side) {
    placement.board = at->second.board;
    placement.place = at->second.place;
    placement.side = side;
  }

  bool between_cells(const Words& a, const Words& b, Placement& placement) const {
    const Found from = coordinates_.places.find(a), to = coordinates_.places.find(b);
    if (from == coordinates_.places.end() || to == coordinates_.places.end()) return false;
    const double dx = cell(to).x - cell(from).x, dy = cell(to).y - cell(from).y;
    if (std::abs(dx) > std::abs(dy)) {
      set(placement, from, dx > 0 ? Picture::Side::right : Picture::Side::left);
    } else {
      set(placement, from, dy > 0 ? Picture::Side::bottom : Picture::Side::top);
    }
    return true;
  }

  // The line starts at the first corner of a cell, or ends the last cell of its row or column.
  bool between_points(Words a, Words b, Placement& placement) const {
    if (is_before(b[0], a[0]) || is_before(b[1], a[1])) std::swap(a, b);
    const bool is_across = a[coordinates_.row] == b[coordinates_.row];
    const Picture::Side first = coordinates_.from_top ? Picture::Side::top : Picture::Side::bottom;
    const Picture::Side last = coordinates_.from_top ? Picture::Side::bottom : Picture::Side::top;
    const Found at = coordinates_.places.find(a);
    if (at != coordinates_.places.end()) {
      set(placement, at, is_across ? first : Picture::Side::left);
      return true;
    }
    const std::size_t turned = is_across ? coordinates_.row : coordinates_.column;
    const auto before = std::max_element(coordinates_.values[turned].begin(),
                                         coordinates_.values[turned].end(), is_before);
    a[turned] = *before;
    const Found beside = coordinates_.places.find(a);
    if (beside == coordinates_.places.end()) return false;
    set(placement, beside, is_across ? last : Picture::Side::right);
    return true;
  }

  Recognition& recognition_;
  const Coordinates& coordinates_;
  const Symbol& symbol_;
};

bool covers_most(const std::set<std::string>& some, const std::set<std::string>& all) {
  return 10 * common(some, all) >= 7 * std::min(some.size(), all.size());
}

// The fluents that hold in a sampled state.
std::set<std::uint32_t> held_fluents(const Symbol& symbol) {
  std::set<std::uint32_t> held;
  for (const auto& state : symbol.samples) held.insert(state.begin(), state.end());
  return held;
}

}  // namespace

bool is_edge(const Recognition& recognition, std::size_t number) {
  const Symbol& symbol = recognition.symbols[number];
  if (symbol.arity < 4 || symbol.arity > 5 || symbol.fluents.size() < 4) return false;
  const auto columns = order_of_both(recognition, symbol, 0, 2);
  const auto rows = order_of_both(recognition, symbol, 1, 3);
  if (!columns || !rows) return false;
  const auto x = numbered(*columns), y = numbered(*rows);
  const auto joins_neighbours = [&](const Words& words) {
    const int dx = std::abs(x.at(words[0]) - x.at(words[2]));
    const int dy = std::abs(y.at(words[1]) - y.at(words[3]));
    return dx <= 1 && dy <= 1 && dx + dy > 0;
  };
  if (std::all_of(symbol.arguments.begin(), symbol.arguments.end(), joins_neighbours)) return true;
  // Rules may permit walls between any two cells, of which only those between neighbours hold.
  const std::set<std::uint32_t> held = held_fluents(symbol);
  return is_wall(symbol.name) && held.size() >= 2 &&
         std::all_of(held.begin(), held.end(), [&](std::uint32_t fluent) {
           return joins_neighbours(symbol.arguments[fluent]);
         });
}

void recognise_edges(Recognition& recognition) {
  for (std::size_t i = 0; i < recognition.symbols.size(); ++i) {
    if (recognition.claimed[i] || !is_edge(recognition, i)) continue;
    const Symbol& symbol = recognition.symbols[i];
    for (const Coordinates& coordinates : recognition.model.coordinates) {
      if (coordinates.values.size() != 2 || !covers_most(coordinates.values[0], symbol.values[0]) ||
          !covers_most(coordinates.values[1], symbol.values[1])) {
        continue;
      }
      Edges(recognition, coordinates, symbol).place_all();
      recognition.claimed[i] = true;
      break;
    }
  }
}

}  // namespace zermelo::analysis::scene
