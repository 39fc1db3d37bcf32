// Which arguments of a fluent are coordinates. The arguments whose values have an order are
// candidates; the content of a cell may have an order too, as in sliding puzzles. Random games tell
// them apart: content is what the coordinates determine.
//
// - Two candidates such that no state has two fluents with the same values of both, as in
//   (cell 1 2 x) and (cell 1 2 8), are a board. The first two such candidates win.
// - If a third candidate, or another argument that has all its values on most cells, is needed to
//   determine the rest, it counts boards: layers. With four, the first two count boards in two
//   directions.
// - If there are just two candidates and they determine nothing, things move on the board:
//   (location explorer 3 4). But a number that the other arguments determine is a counter.
//
// A symbol without content such as (marked 3 4) founds a board only if it can hold for several
// cells with the same first coordinate; otherwise it may be a function, such as (heap a 7).
#include "analysis/scene/frames.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace zermelo::analysis::scene {
namespace {

using Positions = std::vector<std::size_t>;

constexpr std::size_t max_values_of_axis = 64;
constexpr std::size_t max_layers = 30;
constexpr double min_density = 0.2;

Positions ordered_arguments(const Recognition& recognition, const Symbol& symbol) {
  Positions positions;
  for (std::size_t i = 0; i < symbol.arity; ++i) {
    const auto& values = symbol.values[i];
    if (values.size() > max_values_of_axis || recognition.is_role(values)) continue;
    if (in_order(values, recognition.relations)) positions.push_back(i);
  }
  return positions;
}

std::set<Words> projection(const Symbol& symbol, const Positions& positions) {
  std::set<Words> tuples;
  for (const Words& arguments : symbol.arguments) tuples.insert(values_at(arguments, positions));
  return tuples;
}

double density(const Symbol& symbol, const Positions& positions) {
  double all = 1;
  for (const std::size_t position : positions) {
    all *= static_cast<double>(symbol.values[position].size());
  }
  return static_cast<double>(projection(symbol, positions).size()) / all;
}

bool is_dense(const Symbol& symbol, const Positions& positions) {
  return density(symbol, positions) >= min_density && projection(symbol, positions).size() >= 4;
}

Positions without(const Symbol& symbol, const Positions& positions) {
  Positions rest;
  for (std::size_t i = 0; i < symbol.arity; ++i) {
    if (std::find(positions.begin(), positions.end(), i) == positions.end()) rest.push_back(i);
  }
  return rest;
}

// What a function maps values to; nullopt if one value occurs with two others.
using ValueMap = std::map<std::string, std::string>;
std::optional<ValueMap> map_between(const std::vector<Words>& tuples, std::size_t from,
                                    std::size_t to) {
  ValueMap map;
  for (const Words& tuple : tuples) {
    const auto [entry, is_new] = map.emplace(tuple[from], tuple[to]);
    if (!is_new && entry->second != tuple[to]) return std::nullopt;
  }
  return map;
}

// Whether a static relation, such as a successor relation, maps the values in the same way.
bool is_map_of_rules(const Recognition& recognition, const ValueMap& map) {
  const auto contains = [&](const Relation& relation, std::size_t from) {
    const auto whole = map_between(relation.tuples, from, 1 - from);
    return whole && std::all_of(map.begin(), map.end(), [&](const auto& entry) {
             const auto found = whole->find(entry.first);
             return found != whole->end() && found->second == entry.second;
           });
  };
  return std::any_of(
      recognition.relations.begin(), recognition.relations.end(), [&](const Relation& relation) {
        return relation.arity == 2 && (contains(relation, 0) || contains(relation, 1));
      });
}

// Whether one of the coordinates always gives the argument, as a column does the next column. All
// fluents that can hold prove it. The fluents of some states do not: the pieces of a first position
// may depend on their row. Then the rules must have the function.
bool is_redundant(const Recognition& recognition, const Symbol& symbol,
                  const Positions& coordinates, std::size_t position) {
  if (symbol.values[position].size() < 3) return false;
  return std::any_of(coordinates.begin(), coordinates.end(), [&](std::size_t coordinate) {
    const auto map = map_between(symbol.arguments, coordinate, position);
    return map && (recognition.has_all_fluents || is_map_of_rules(recognition, *map));
  });
}

Frame make_frame(const Recognition& recognition, std::size_t number, const Positions& positions,
                 const Positions& layers) {
  const Symbol& symbol = recognition.symbols[number];
  Frame frame;
  frame.symbol = number;
  frame.positions = positions;
  std::sort(frame.positions.begin(), frame.positions.end());
  for (const std::size_t position : frame.positions) {
    frame.is_layer.push_back(std::find(layers.begin(), layers.end(), position) != layers.end());
  }
  for (const std::size_t position : without(symbol, positions)) {
    if (!is_redundant(recognition, symbol, frame.positions, position)) {
      frame.contents.push_back(position);
    }
  }
  frame.density = density(symbol, positions);
  frame.is_founder = symbol.most() > 0;
  return frame;
}

// The first two candidates that determine the rest.
std::optional<Positions> determining_pair(const Symbol& symbol, const Positions& ordered) {
  for (std::size_t a = 0; a < ordered.size(); ++a) {
    for (std::size_t b = a + 1; b < ordered.size(); ++b) {
      const Positions pair{ordered[a], ordered[b]};
      if (symbol.one_per(pair) && is_dense(symbol, pair)) return pair;
    }
  }
  return std::nullopt;
}

// Which of three coordinates counts boards: the one whose values differ from those of the other two
// if these have the same, else the one with the fewest values, else the last.
std::size_t layer_of(const Symbol& symbol, const Positions& triple) {
  for (std::size_t k = 0; k < 3; ++k) {
    const auto& a = symbol.values[triple[(k + 1) % 3]];
    const auto& b = symbol.values[triple[(k + 2) % 3]];
    if (a == b && symbol.values[triple[k]] != a) return triple[k];
  }
  std::size_t layer = triple[2];
  for (const std::size_t position : {triple[1], triple[0]}) {
    if (symbol.values[position].size() < symbol.values[layer].size()) layer = position;
  }
  return layer;
}

// An argument without order that has several values on most cells at the same time.
std::optional<std::size_t> unordered_layer(const Symbol& symbol, const Positions& pair) {
  if (symbol.samples.empty()) return std::nullopt;
  std::set<Words> cells;
  for (const std::uint32_t fluent : symbol.samples.front()) {
    cells.insert(values_at(symbol.arguments[fluent], pair));
  }
  const std::size_t held = symbol.samples.front().size();
  if (cells.size() < 4 || 10 * held < 16 * cells.size()) return std::nullopt;
  for (const std::size_t position : without(symbol, pair)) {
    const std::size_t count = symbol.values[position].size();
    Positions key = pair;
    key.push_back(position);
    if (count >= 2 && count <= max_layers && symbol.one_per(key)) return position;
  }
  return std::nullopt;
}

// Whether the last candidate is a number that all other arguments determine: no board.
bool is_table_of_numbers(const Symbol& symbol, const Positions& pair) {
  const Positions rest = without(symbol, pair);
  if (rest.empty() || symbol.one_per(pair) || symbol.one_per(rest)) return false;
  for (const std::size_t number : {pair[1], pair[0]}) {
    if (symbol.one_per(without(symbol, {number}))) return true;
  }
  return false;
}

// Whether different numbers of fluents hold in the sampled states: things are placed, one by one.
bool has_various_sizes(const Symbol& symbol) {
  return std::any_of(symbol.samples.begin(), symbol.samples.end(), [&](const auto& state) {
    return state.size() != symbol.samples.front().size();
  });
}

std::optional<Frame> frame_of_two(const Recognition& recognition, std::size_t number,
                                  const Positions& pair) {
  const Symbol& symbol = recognition.symbols[number];
  if (symbol.arity == 2) {
    Frame frame = make_frame(recognition, number, pair, {});
    const bool is_square = symbol.values[0] == symbol.values[1] && has_various_sizes(symbol);
    const bool may_be_function = !is_square && (symbol.one_per({0}) || symbol.one_per({1}));
    frame.is_founder = is_dense(symbol, pair) && symbol.most() > 1 && !may_be_function;
    return frame;
  }
  if (!is_dense(symbol, pair)) return std::nullopt;
  if (is_table_of_numbers(symbol, pair)) return std::nullopt;
  if (!symbol.one_per(pair)) {
    if (const auto layer = unordered_layer(symbol, pair)) {
      return make_frame(recognition, number, {pair[0], pair[1], *layer}, {*layer});
    }
  }
  return make_frame(recognition, number, pair, {});
}

// The candidates that moves name too, if these are two or three of more: then the others are
// contents, even if a cell has several of them at once.
Positions named_by_moves(const Recognition& recognition, const Symbol& symbol,
                         const Positions& ordered) {
  Positions named;
  for (const std::size_t position : ordered) {
    const ArgumentOf argument{symbol.name, symbol.arity, position};
    const auto& shared = recognition.hints.shared;
    const bool is_named = std::any_of(shared.begin(), shared.end(), [&](const auto& entry) {
      return entry.first.second == argument;
    });
    if (is_named) named.push_back(position);
  }
  return named;
}

std::optional<Frame> frame_of_layers(const Recognition& recognition, std::size_t number,
                                     const Positions& triple) {
  const Symbol& symbol = recognition.symbols[number];
  const std::size_t layer = layer_of(symbol, triple);
  if (symbol.values[layer].size() > max_layers || !is_dense(symbol, triple)) return std::nullopt;
  return make_frame(recognition, number, triple, {layer});
}

std::optional<Frame> frame_of_more(const Recognition& recognition, std::size_t number,
                                   const Positions& ordered) {
  const Symbol& symbol = recognition.symbols[number];
  if (const auto pair = determining_pair(symbol, ordered)) {
    return make_frame(recognition, number, *pair, {});
  }
  const Positions named = named_by_moves(recognition, symbol, ordered);
  const bool is_alone = symbol.arity == ordered.size();  // no argument is surely a content
  if (is_alone && named.size() + 1 == ordered.size()) {
    if (named.size() == 2) return make_frame(recognition, number, named, {});
    if (named.size() == 3) return frame_of_layers(recognition, number, named);
  }
  const Positions triple(ordered.begin(), ordered.begin() + 3);
  if (symbol.one_per(triple) && is_dense(symbol, triple)) {
    return frame_of_layers(recognition, number, triple);
  }
  if (ordered.size() < 4) return std::nullopt;
  const Positions four(ordered.begin(), ordered.begin() + 4);
  if (!symbol.one_per(four) || !is_dense(symbol, four)) return std::nullopt;
  return make_frame(recognition, number, four, {four[0], four[1]});
}

constexpr std::array<std::pair<std::string_view, Picture::Side>, 17> sides = {{
    {"north", Picture::Side::top},
    {"south", Picture::Side::bottom},
    {"east", Picture::Side::right},
    {"west", Picture::Side::left},
    {"up", Picture::Side::top},
    {"down", Picture::Side::bottom},
    {"right", Picture::Side::right},
    {"left", Picture::Side::left},
    {"above", Picture::Side::top},
    {"below", Picture::Side::bottom},
    {"top", Picture::Side::top},
    {"bottom", Picture::Side::bottom},
    {"n", Picture::Side::top},
    {"s", Picture::Side::bottom},
    {"e", Picture::Side::right},
    {"w", Picture::Side::left},
    {"under", Picture::Side::bottom},
}};

// Walls and signs that lie on a side of a cell.
void find_side(const Symbol& symbol, Frame& frame) {
  if (frame.contents.empty()) {
    frame.is_on_side = side_at_end_of(symbol.name).has_value();
  } else if (frame.contents.size() == 1 && is_wall(symbol.name)) {
    const auto& values = symbol.values[frame.contents[0]];
    frame.is_on_side = std::all_of(values.begin(), values.end(),
                                   [](const std::string& v) { return side_of(v).has_value(); });
  }
  if (frame.is_on_side) frame.is_founder = false;
}

}  // namespace

std::vector<std::size_t> Frame::pair() const {
  Positions result;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (!is_layer[i]) result.push_back(positions[i]);
  }
  return result;
}

std::optional<Picture::Side> side_of(const std::string& word) {
  for (const auto& [name, side] : sides) {
    if (word == name) return side;
  }
  return std::nullopt;
}

std::optional<Picture::Side> side_at_end_of(const std::string& name) {
  for (const auto& [word, side] : sides) {
    if (word.size() >= 4 && name.size() > word.size() && name.ends_with(word)) return side;
  }
  return std::nullopt;
}

bool is_wall(const std::string& name) {
  return name.find("wall") != std::string::npos || name.find("block") != std::string::npos ||
         name.find("fence") != std::string::npos || name.find("barrier") != std::string::npos;
}

std::optional<Frame> frame_of(const Recognition& recognition, std::size_t number) {
  const Symbol& symbol = recognition.symbols[number];
  const Positions ordered = ordered_arguments(recognition, symbol);
  if (ordered.size() < 2) return std::nullopt;
  std::optional<Frame> frame = ordered.size() == 2 ? frame_of_two(recognition, number, ordered)
                                                   : frame_of_more(recognition, number, ordered);
  if (frame) find_side(symbol, *frame);
  return frame;
}

}  // namespace zermelo::analysis::scene
