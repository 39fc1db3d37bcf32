// Boards of squares. Symbols with the same coordinates are on the same board: what stands in a
// cell, and marks and walls beside it. Two symbols of the same form whose names are variants of
// each other, such as cell1 and cell2, are two boards.
//
// The first coordinate is the column and the second the row, unless the rules call them otherwise.
// Rows are drawn from the bottom up, as coordinates are in mathematics and in chess. Boards that
// are read like text start at the top: those whose coordinates are a row and a column, those whose
// contents are numbers, and those whose rows are letters and whose columns are numbers.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/scene/frames.h"

namespace zermelo::analysis::scene {
namespace {

using Placement = SceneModel::Placement;
using Values = std::set<std::string>;

struct Cluster {
  std::vector<Frame> frames;   // the first is the main one
  std::vector<Values> values;  // by coordinate
};

bool is_compatible(const Values& a, const Values& b) {
  const std::size_t smaller = std::min(a.size(), b.size());
  return 10 * common(a, b) >= 7 * smaller;
}

// The length of the longest beginning or end that two names share.
std::size_t shared_part(const std::string& a, const std::string& b) {
  const std::size_t most = std::min(a.size(), b.size());
  std::size_t head = 0, tail = 0;
  while (head < most && a[head] == b[head]) ++head;
  while (tail < most && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  return std::max(head, tail);
}

Values contents_of(const Symbol& symbol, const Frame& frame) {
  Values contents;
  for (const std::size_t position : frame.contents) {
    contents.insert(symbol.values[position].begin(), symbol.values[position].end());
  }
  return contents;
}

class Grids {
 public:
  explicit Grids(Recognition& recognition) : recognition_(recognition) {}

  void run() {
    collect();
    for (Cluster& cluster : clusters_) build(cluster);
  }

 private:
  const Symbol& symbol(const Frame& frame) const { return recognition_.symbols[frame.symbol]; }

  void collect() {
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < recognition_.symbols.size(); ++i) {
      if (recognition_.claimed[i] || is_edge(recognition_, i)) continue;
      if (auto frame = frame_of(recognition_, i)) frames.push_back(std::move(*frame));
    }
    if (!recognition_.has_all_fluents) {
      for (const Frame& frame : frames) complete(frame);
    }
    std::stable_sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) {
      if (a.is_founder != b.is_founder) return a.is_founder;
      if (a.contents.empty() != b.contents.empty()) return b.contents.empty();
      return a.density > b.density;
    });
    for (Frame& frame : frames) add(std::move(frame));
    for (std::size_t i = 0; i < recognition_.symbols.size(); ++i) add_constant_pair(i);
  }

  // If only the fluents of some states are known and these are about most cells of a rectangle,
  // adds those of the other cells, with all contents seen.
  void complete(const Frame& frame) {
    constexpr double enough = 0.5;
    constexpr std::size_t max_fluents = 50'000;
    Symbol& of = recognition_.symbols[frame.symbol];
    const bool has_redundant = frame.positions.size() + frame.contents.size() < of.arity;
    if (!frame.is_founder || frame.density < enough || has_redundant) return;
    std::set<Words> combinations{Words(of.arity)};
    for (const std::size_t position : frame.positions) {
      std::set<Words> longer;
      for (Words words : combinations) {
        for (const std::string& value : of.values[position]) {
          words[position] = value;
          longer.insert(words);
        }
      }
      combinations = std::move(longer);
      if (combinations.size() > max_fluents) return;
    }
    std::set<Words> contents;
    for (const Words& words : of.arguments) contents.insert(values_at(words, frame.contents));
    if (combinations.size() * contents.size() > max_fluents) return;
    const std::set<Words> known(of.arguments.begin(), of.arguments.end());
    for (Words words : combinations) {
      for (const Words& content : contents) {
        for (std::size_t i = 0; i < content.size(); ++i) words[frame.contents[i]] = content[i];
        if (!known.contains(words)) add_fluent(of, words);
      }
    }
  }

  static void add_fluent(Symbol& symbol, const Words& arguments) {
    std::string text = "(" + symbol.name;
    for (const std::string& argument : arguments) text += " " + argument;
    symbol.fluents.push_back(text + ")");
    symbol.arguments.push_back(arguments);
  }

  void add(Frame frame) {
    for (Cluster& cluster : clusters_) {
      if (!fits(cluster, frame)) continue;
      if (!frame.is_on_side) extend(cluster, frame);
      cluster.frames.push_back(std::move(frame));
      return;
    }
    if (!frame.is_founder) return;
    Cluster& cluster = clusters_.emplace_back();
    cluster.values.resize(frame.positions.size());
    extend(cluster, frame);
    cluster.frames.push_back(std::move(frame));
  }

  void extend(Cluster& cluster, const Frame& frame) const {
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      const Values& values = symbol(frame).values[frame.positions[i]];
      cluster.values[i].insert(values.begin(), values.end());
    }
  }

  bool fits(const Cluster& cluster, const Frame& frame) const {
    if (cluster.frames.front().is_layer != frame.is_layer) return false;
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      if (!is_compatible(symbol(frame).values[frame.positions[i]], cluster.values[i])) return false;
    }
    return std::none_of(cluster.frames.begin(), cluster.frames.end(),
                        [&](const Frame& other) { return are_variants(other, frame); });
  }

  // cell1 and cell2: the same form, similar names, and contents in common.
  bool are_variants(const Frame& a, const Frame& b) const {
    if (a.contents.empty() || a.positions != b.positions || a.contents != b.contents) return false;
    if (shared_part(symbol(a).name, symbol(b).name) < 3) return false;
    return common(contents_of(symbol(a), a), contents_of(symbol(b), b)) > 0;
  }

  // A mark that is always on the same cell has no coordinates that vary.
  void add_constant_pair(std::size_t number) {
    const Symbol& symbol = recognition_.symbols[number];
    if (recognition_.claimed[number] || symbol.arity != 2 || symbol.fluents.size() > 3) return;
    for (Cluster& cluster : clusters_) {
      const bool is_on_board = cluster.values.size() == 2 &&
                               is_subset(symbol.values[0], cluster.values[0]) &&
                               is_subset(symbol.values[1], cluster.values[1]);
      const bool is_known = std::any_of(cluster.frames.begin(), cluster.frames.end(),
                                        [&](const Frame& f) { return f.symbol == number; });
      if (!is_on_board || is_known) continue;
      Frame frame;
      frame.symbol = number;
      frame.positions = {0, 1};
      frame.is_layer = {false, false};
      cluster.frames.push_back(frame);
      return;
    }
  }

  // The coordinates of a cluster, as they are drawn.
  struct Axes {
    std::vector<Words> values;  // by coordinate, in order
    std::size_t column = 0, row = 1;
    bool from_top = false;
    std::vector<std::size_t> layers;

    std::size_t index(std::size_t coordinate, const std::string& value) const {
      const Words& all = values[coordinate];
      return static_cast<std::size_t>(std::find(all.begin(), all.end(), value) - all.begin());
    }
    std::size_t from_above(std::size_t coordinate, const std::string& value) const {
      const std::size_t i = index(coordinate, value);
      return from_top ? i : values[coordinate].size() - 1 - i;
    }
  };

  // Positive if the coordinate `a` is called a row or `b` a column; negative for the reverse.
  int rows_first(const Cluster& cluster, std::size_t a, std::size_t b) const {
    const auto called = [](const Values& values) { return stem(*values.begin()); };
    const std::string first = called(cluster.values[a]), second = called(cluster.values[b]);
    if ((first == "r" && second == "c") || (first == "y" && second == "x")) return 1;
    if ((first == "c" && second == "r") || (first == "x" && second == "y")) return -1;
    int score = 0;
    for (const Frame& frame : cluster.frames) {
      const Symbol& of = symbol(frame);
      const auto axis = [&](std::size_t coordinate) {
        const auto found =
            recognition_.hints.axes.find({of.name, of.arity, frame.positions[coordinate]});
        return found == recognition_.hints.axes.end() ? RuleHints::Axis{} : found->second;
      };
      score += axis(a).row - axis(a).column + axis(b).column - axis(b).row;
    }
    return score;
  }

  bool has_numbers(const Cluster& cluster) const {
    const Values contents = contents_of(symbol(cluster.frames[0]), cluster.frames[0]);
    const auto numbers = std::count_if(contents.begin(), contents.end(), is_number);
    return 2 * static_cast<std::size_t>(numbers) > contents.size();
  }

  Axes axes_of(const Cluster& cluster) const {
    Axes axes;
    for (const Values& values : cluster.values) {
      auto order = in_order(values, recognition_.relations);
      if (!order) {
        order = Words(values.begin(), values.end());
        std::sort(order->begin(), order->end(), is_before);
      }
      axes.values.push_back(std::move(*order));
    }
    std::vector<std::size_t> inner;
    for (std::size_t i = 0; i < cluster.values.size(); ++i) {
      (cluster.frames[0].is_layer[i] ? axes.layers : inner).push_back(i);
    }
    const int rows = rows_first(cluster, inner[0], inner[1]);
    axes.column = rows > 0 ? inner[1] : inner[0];
    axes.row = rows > 0 ? inner[0] : inner[1];
    const bool letters_down = !is_number(axes.values[axes.row][0]) &&
                              axes.values[axes.row][0].size() == 1 &&
                              is_number(axes.values[axes.column][0]);
    axes.from_top = rows > 0 || has_numbers(cluster) || letters_down;
    return axes;
  }

  // All combinations of coordinates that can have something, in the order of drawing.
  std::vector<Words> cells_of(const Cluster& cluster, const Axes& axes) const {
    std::set<Words> found;
    for (const Frame& frame : cluster.frames) {
      if (frame.is_on_side) continue;
      for (const Words& arguments : symbol(frame).arguments) {
        found.insert(values_at(arguments, frame.positions));
      }
    }
    std::vector<Words> cells(found.begin(), found.end());
    const auto rank = [&](const Words& cell) {
      std::vector<std::size_t> ranks;
      for (const std::size_t layer : axes.layers) ranks.push_back(axes.index(layer, cell[layer]));
      ranks.push_back(axes.from_above(axes.row, cell[axes.row]));
      ranks.push_back(axes.index(axes.column, cell[axes.column]));
      return ranks;
    };
    std::sort(cells.begin(), cells.end(),
              [&](const Words& a, const Words& b) { return rank(a) < rank(b); });
    return cells;
  }

  // An empty board of a cluster: that of one combination of layers.
  Picture::Board frame_board(const Axes& axes, const Words& layers) const {
    Picture::Board board;
    for (const std::string& layer : layers) board.title += (board.title.empty() ? "" : " ") + layer;
    board.columns = axes.values[axes.column];
    board.rows = axes.values[axes.row];
    if (!axes.from_top) std::reverse(board.rows.begin(), board.rows.end());
    board.width = static_cast<double>(board.columns.size());
    board.height = static_cast<double>(board.rows.size());
    board.group = recognition_.groups;
    if (axes.layers.size() == 2) {
      const bool rows_are_first = axes.row < axes.column;  // the outer pair is in the same order
      const std::size_t x = rows_are_first ? 1 : 0, y = rows_are_first ? 0 : 1;
      board.group_column = static_cast<std::uint32_t>(axes.index(axes.layers[x], layers[x]));
      board.group_row = static_cast<std::uint32_t>(axes.from_above(axes.layers[y], layers[y]));
    } else if (axes.layers.size() == 1) {
      const std::size_t count = axes.values[axes.layers[0]].size();
      const std::size_t per_row =
          count <= 3 ? count
                     : static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
      const std::size_t index = axes.index(axes.layers[0], layers[0]);
      board.group_column = static_cast<std::uint32_t>(index % per_row);
      board.group_row = static_cast<std::uint32_t>(index / per_row);
    }
    return board;
  }

  void build(Cluster& cluster) {
    const Axes axes = axes_of(cluster);
    SceneModel::Coordinates coordinates;
    coordinates.values = cluster.values;
    coordinates.column = axes.column;
    coordinates.row = axes.row;
    coordinates.from_top = axes.from_top;
    std::map<Words, std::uint32_t> boards;
    for (const Words& cell : cells_of(cluster, axes)) {
      Words layers;
      for (const std::size_t layer : axes.layers) layers.push_back(cell[layer]);
      const auto next = static_cast<std::uint32_t>(recognition_.model.boards.size());
      const auto [entry, is_new] = boards.try_emplace(layers, next);
      if (is_new) recognition_.model.boards.push_back(frame_board(axes, layers));
      Picture::Board& board = recognition_.model.boards[entry->second];
      coordinates.places.emplace(
          cell,
          SceneModel::PlaceOfBoard{entry->second, static_cast<std::uint32_t>(board.cells.size())});
      Picture::Cell drawn;
      const std::string &column = cell[axes.column], &row = cell[axes.row];
      drawn.id = "b" + std::to_string(entry->second) + ":" + column + "," + row;
      for (const std::string& value : cell) drawn.title += (drawn.title.empty() ? "" : " ") + value;
      drawn.x = static_cast<double>(axes.index(axes.column, column)) + 0.5;
      drawn.y = static_cast<double>(axes.from_above(axes.row, row)) + 0.5;
      board.cells.push_back(std::move(drawn));
    }
    ++recognition_.groups;
    if (axes.layers.empty()) find_hexagons(coordinates, axes);
    for (std::size_t i = 0; i < cluster.frames.size(); ++i) {
      place(cluster, i, axes, coordinates);
      const Frame& frame = cluster.frames[i];
      coordinates.users.push_back({symbol(frame).name, symbol(frame).arity, frame.positions});
      recognition_.claimed[frame.symbol] = true;
    }
    recognition_.model.coordinates.push_back(std::move(coordinates));
  }

  // Hexagons: every cell has the neighbours of a square and those along one diagonal, or, on boards
  // that are no rectangle, six neighbours at most.
  void find_hexagons(const SceneModel::Coordinates& coordinates, const Axes& axes) {
    if (coordinates.places.empty()) return;
    Picture::Board& board = recognition_.model.boards[coordinates.places.begin()->second.board];
    std::vector<Words> places(board.cells.size());
    for (const auto& [cell, at] : coordinates.places) places[at.place] = cell;
    for (const Neighbourhood& found : neighbourhoods(places, recognition_.relations)) {
      if (shear(board, found)) return;
    }
    if (board.cells.size() == board.columns.size() * board.rows.size()) return;
    for (const Neighbourhood& found : neighbourhoods(places, recognition_.relations)) {
      std::vector<std::uint32_t> line;
      for (const Words& place : places) {
        line.push_back(static_cast<std::uint32_t>(axes.from_above(axes.row, place[axes.row])));
      }
      if (found.relation.empty()) continue;  // several relations together
      Picture::Board changed = board;
      lay_out(changed, found, line);
      if (changed.shape != Picture::Shape::hexagons) continue;
      changed.columns.clear();
      changed.rows.clear();
      board = std::move(changed);
      return;
    }
  }

  // If the links are those of hexagons in rows and columns, moves every row by half a cell.
  static bool shear(Picture::Board& board, const Neighbourhood& found) {
    std::set<std::pair<int, int>> offsets;
    for (const auto& [a, b] : found.links) {
      std::pair offset(static_cast<int>(std::lround(board.cells[b].x - board.cells[a].x)),
                       static_cast<int>(std::lround(board.cells[b].y - board.cells[a].y)));
      if (offset < std::pair(0, 0)) offset = {-offset.first, -offset.second};
      offsets.insert(offset);
    }
    using Offsets = std::set<std::pair<int, int>>;
    const bool falls = offsets == Offsets{{0, 1}, {1, 0}, {1, 1}};
    if (!falls && offsets != Offsets{{0, 1}, {1, 0}, {1, -1}}) return false;
    const double last = board.height - 1;
    for (Picture::Cell& cell : board.cells) {
      const double row = cell.y - 0.5;
      cell.x += 0.5 * (falls ? last - row : row);
      cell.y = 0.5 + row * std::sqrt(0.75);
    }
    board.width += 0.5 * last;
    board.height = 1 + last * std::sqrt(0.75);
    board.shape = Picture::Shape::hexagons;
    board.links = found.links;
    board.columns.clear();
    board.rows.clear();
    return true;
  }

  // What a fluent of a symbol shows in its cell.
  void place(const Cluster& cluster, std::size_t number, const Axes& axes,
             const SceneModel::Coordinates& coordinates) {
    const Frame& frame = cluster.frames[number];
    const Symbol& of = symbol(frame);
    const Values contents = contents_of(of, frame);
    const bool says_symbol = needs_symbol(cluster, number);
    const bool is_everywhere = 10 * of.fluents.size() >= 9 * coordinates.places.size();
    const bool is_ground = frame.contents.empty() && is_everywhere && of.is_constant();
    const bool has_contents = !cluster.frames[0].contents.empty();
    const bool is_mark =
        number > 0 && has_contents && (frame.contents.empty() || is_property(cluster, number));
    for (std::size_t i = 0; i < of.fluents.size(); ++i) {
      if (frame.is_on_side) {
        place_on_side(frame, i, axes, coordinates);
        continue;
      }
      const auto at = coordinates.places.at(values_at(of.arguments[i], frame.positions));
      Placement placement{.board = at.board, .place = at.place};
      for (const std::size_t position : frame.contents) {
        placement.text += (placement.text.empty() ? "" : " ") + of.arguments[i][position];
      }
      if (is_ground || (frame.contents.empty() && is_blank(of.name, contents, {})) ||
          (frame.contents.size() == 1 && is_blank(placement.text, contents, recognition_.roles))) {
        placement.kind = Placement::Kind::cell;
      } else {
        if (frame.contents.empty()) {
          placement.text = of.name;
        } else if (says_symbol) {
          placement.text = of.name + " " + placement.text;
        }
        if (is_mark) placement.token_kind = "mark";
      }
      recognition_.place(of, i, std::move(placement));
    }
  }

  // Whether the content alone does not say what it is: numbers and roles beside the main content,
  // and names that another symbol of the board has too.
  bool needs_symbol(const Cluster& cluster, std::size_t number) const {
    if (number == 0) return false;
    const Frame& frame = cluster.frames[number];
    const Values contents = contents_of(symbol(frame), frame);
    if (std::all_of(contents.begin(), contents.end(), is_number)) return true;
    for (std::size_t i = 0; i < cluster.frames.size(); ++i) {
      const Frame& other = cluster.frames[i];
      if (i != number && common(contents, contents_of(symbol(other), other)) > 0) return true;
    }
    return false;
  }

  // Whether the content beside the main one is about what stands there: a number, or the name of a
  // piece on nearly every cell where that piece stands.
  bool is_property(const Cluster& cluster, std::size_t number) const {
    const Frame &frame = cluster.frames[number], &main = cluster.frames[0];
    const Symbol &of = symbol(frame), &of_main = symbol(main);
    const Values contents = contents_of(of, frame);
    if (std::all_of(contents.begin(), contents.end(), is_number)) return true;
    const Values main_contents = contents_of(of_main, main);
    if (common(contents, main_contents) == 0) return false;
    std::size_t all = 0, with_main = 0;
    for (std::size_t s = 0; s < of.samples.size(); ++s) {
      std::set<Words> occupied;
      for (const std::uint32_t fluent : of_main.samples[s]) {
        const Words& words = of_main.arguments[fluent];
        const Words content = values_at(words, main.contents);
        if (content.size() == 1 && is_blank(content[0], main_contents, recognition_.roles))
          continue;
        occupied.insert(values_at(words, main.positions));
      }
      for (const std::uint32_t fluent : of.samples[s]) {
        ++all;
        if (occupied.contains(values_at(of.arguments[fluent], frame.positions))) ++with_main;
      }
    }
    return 10 * with_main >= 9 * all;
  }

  void place_on_side(const Frame& frame, std::size_t fluent, const Axes& axes,
                     const SceneModel::Coordinates& coordinates) {
    const Symbol& of = symbol(frame);
    const auto side = frame.contents.empty() ? side_at_end_of(of.name)
                                             : side_of(of.arguments[fluent][frame.contents[0]]);
    Words cell = values_at(of.arguments[fluent], frame.positions);
    Placement placement{.text = sign_of(of.name, *side), .side = *side};
    placement.token_kind = placement.text == "wall" ? "wall" : "sign";
    auto at = coordinates.places.find(cell);
    if (at == coordinates.places.end()) {
      cell = beyond(cell, *side, axes);
      placement.side = opposite(*side);
      at = coordinates.places.find(cell);
    }
    if (at == coordinates.places.end()) return;
    placement.board = at->second.board;
    placement.place = at->second.place;
    recognition_.place(of, fluent, std::move(placement));
  }

  // Comparisons of two cells are drawn as the sign between them.
  static std::string sign_of(const std::string& name, Picture::Side side) {
    const bool is_across = side == Picture::Side::left || side == Picture::Side::right;
    const bool turned = side == Picture::Side::left || side == Picture::Side::top;
    const bool greater =
        name.find("_gt") != std::string::npos || name.find("greater") != std::string::npos;
    const bool less =
        name.find("_lt") != std::string::npos || name.find("less") != std::string::npos;
    if (!greater && !less) return "wall";
    const bool opens_here = greater != turned;
    if (is_across) return opens_here ? ">" : "<";
    return opens_here ? "\u2228" : "\u2227";
  }

  static Picture::Side opposite(Picture::Side side) {
    if (side == Picture::Side::top) return Picture::Side::bottom;
    if (side == Picture::Side::bottom) return Picture::Side::top;
    return side == Picture::Side::left ? Picture::Side::right : Picture::Side::left;
  }

  // The coordinates of the next cell on that side. Values that are on no axis are numbers beside
  // it.
  Words beyond(Words cell, Picture::Side side, const Axes& axes) const {
    const bool is_across = side == Picture::Side::left || side == Picture::Side::right;
    const std::size_t coordinate = is_across ? axes.column : axes.row;
    const Words& values = axes.values[coordinate];
    const bool grows =
        is_across ? side == Picture::Side::right : (side == Picture::Side::bottom) == axes.from_top;
    const std::size_t index = axes.index(coordinate, cell[coordinate]);
    if (index == values.size()) {
      cell[coordinate] = grows ? values.front() : values.back();
    } else if (grows ? index + 1 < values.size() : index > 0) {
      cell[coordinate] = values[grows ? index + 1 : index - 1];
    }
    return cell;
  }

  Recognition& recognition_;
  std::vector<Cluster> clusters_;
};

}  // namespace

void recognise_grids(Recognition& recognition) { Grids(recognition).run(); }

bool is_blank(const std::string& content, const std::set<std::string>& values,
              const std::set<std::string>& roles) {
  static const std::set<std::string> words = {"blank", "empty", "nothing", "free",
                                              "nil",   "none",  "_"};
  if (words.contains(content)) return true;
  if ((content != "b" && content != "e") || roles.contains(content)) return false;
  const bool has_other = std::any_of(values.begin(), values.end(),
                                     [&](const std::string& v) { return words.contains(v); });
  const bool is_black = content == "b" && values.contains("e") && values.contains("w");
  return !has_other && !is_black;
}

std::uint32_t add_board(SceneModel& model, Picture::Board board) {
  model.boards.push_back(std::move(board));
  return static_cast<std::uint32_t>(model.boards.size() - 1);
}

}  // namespace zermelo::analysis::scene
