// Places with a single name. Their geometry comes from a static relation between them: neighbours
// in a maze or on a star, drawn by the number of steps between them (layout.h). Names such as b3
// for a whole rectangle of letters and numbers are a grid; if the letters have different numbers of
// places, they may be rows of hexagons. Otherwise the places are drawn side by side.
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/scene/recognise.h"

namespace zermelo::analysis::scene {
namespace {

using Placement = SceneModel::Placement;
using Values = std::set<std::string>;

// How a symbol uses places.
struct PlaceFrame {
  std::size_t symbol = 0;
  std::vector<std::size_t> key;           // the arguments that name the place
  std::optional<std::size_t> layer = {};  // the argument that tells boards apart
  std::vector<std::size_t> contents = {};
  bool is_founder = false;
};

struct PlaceCluster {
  std::vector<PlaceFrame> frames;
  std::set<Words> places;
  Values layers;
};

constexpr std::size_t max_places_of_line = 16;  // longer rows are broken

bool are_all_numbers(const Values& values) {
  return std::all_of(values.begin(), values.end(), is_number);
}

// A letter or word and a number: "b3".
bool is_composite(const std::string& name) {
  const std::string letters = stem(name);
  return !letters.empty() && letters.size() < name.size();
}

// The points of places such as a1, b1, b2, c1, ... as rows of hexagons, if they can be: the places
// of a letter have the numbers from 1 on, and consecutive rows differ by an odd number of places,
// so that centred rows lie in the gaps of each other. A star or a triangle, not a rectangle.
std::optional<std::vector<Point>> rows_of_hexagons(const std::vector<Words>& places) {
  std::map<std::string, std::set<std::string>> rows;
  for (const Words& place : places) {
    if (place.size() != 1 || !is_composite(place[0])) return std::nullopt;
    const std::string letter = stem(place[0]);
    rows[letter].insert(place[0].substr(letter.size()));
  }
  if (rows.size() < 3) return std::nullopt;
  std::optional<std::size_t> last;
  for (const auto& [letter, numbers] : rows) {
    for (std::size_t i = 1; i <= numbers.size(); ++i) {
      if (!numbers.contains(std::to_string(i))) return std::nullopt;
    }
    if (last && (*last + numbers.size()) % 2 == 0) return std::nullopt;
    last = numbers.size();
  }
  const double height = std::sqrt(3) / 2;
  std::vector<Point> points;
  for (const Words& place : places) {
    const auto row = rows.find(stem(place[0]));
    const double number = std::stod(place[0].substr(row->first.size()));
    points.push_back({number - 0.5 * static_cast<double>(row->second.size() + 1),
                      height * static_cast<double>(std::distance(rows.begin(), row))});
  }
  return points;
}

// Whether at least half of the links join places that are next to each other.
bool are_close(const std::vector<Point>& points, const Links& links) {
  const auto close = std::count_if(links.begin(), links.end(), [&](const auto& link) {
    const Point &a = points[link.first], &b = points[link.second];
    return std::hypot(a.x - b.x, a.y - b.y) < 1.01;
  });
  return 2 * static_cast<std::size_t>(close) >= links.size();
}

class Places {
 public:
  explicit Places(Recognition& recognition) : recognition_(recognition) {}

  void run() {
    for (std::size_t i = 0; i < recognition_.symbols.size(); ++i) {
      if (recognition_.claimed[i]) continue;
      if (auto frame = frame_of_symbol(i)) frames_.push_back(std::move(*frame));
    }
    std::stable_sort(frames_.begin(), frames_.end(), [](const PlaceFrame& a, const PlaceFrame& b) {
      return a.is_founder > b.is_founder;
    });
    for (PlaceFrame& frame : frames_) add(std::move(frame));
    for (PlaceCluster& cluster : clusters_) {
      if (is_board(cluster)) build(cluster);
    }
  }

 private:
  const Symbol& symbol(const PlaceFrame& frame) const { return recognition_.symbols[frame.symbol]; }

  std::optional<PlaceFrame> frame_of_symbol(std::size_t number) const {
    const Symbol& of = recognition_.symbols[number];
    if (of.arity == 0 || of.fluents.size() < 2) return std::nullopt;
    if (of.arity == 1) {
      if (recognition_.is_role(of.values[0])) return std::nullopt;
      if (are_all_numbers(of.values[0]) && of.at_most_one()) return std::nullopt;  // a counter
      return PlaceFrame{number, {0}, {}, {}, of.most() > 0};
    }
    if (of.arity == 2) {
      for (const std::size_t key : {std::size_t{0}, std::size_t{1}}) {
        if (!of.one_per({key}) || of.most() < 2 || recognition_.is_role(of.values[key])) continue;
        if (of.values[key].size() < 2) continue;
        // One value per role is a counter.
        if (recognition_.is_role(of.values[1 - key]) && of.one_per({1 - key})) continue;
        return PlaceFrame{number, {key}, {}, {1 - key}, true};
      }
      const bool may_be_layered = of.values[1].size() <= 4 && of.values[0].size() >= 4;
      if (may_be_layered) return PlaceFrame{number, {0}, 1, {}, of.most() > 3};
    }
    if (of.arity == 3 && of.one_per({0, 1}) && of.most() >= 2) {
      const bool counts_boards = of.values[0].size() <= 4 && of.values[1].size() >= 4 &&
                                 in_order(of.values[1], recognition_.relations).has_value();
      if (counts_boards) return PlaceFrame{number, {1}, 0, {2}, true};
      return PlaceFrame{number, {0, 1}, {}, {2}, true};
    }
    return std::nullopt;
  }

  std::set<Words> places_of(const PlaceFrame& frame) const {
    std::set<Words> places;
    for (const Words& words : symbol(frame).arguments) places.insert(values_at(words, frame.key));
    return places;
  }

  void add(PlaceFrame frame) {
    const std::set<Words> places = places_of(frame);
    for (PlaceCluster& cluster : clusters_) {
      if (!fits(cluster, frame, places)) continue;
      cluster.places.insert(places.begin(), places.end());
      add_layers(cluster, frame);
      cluster.frames.push_back(std::move(frame));
      return;
    }
    if (!frame.is_founder) return;
    PlaceCluster& cluster = clusters_.emplace_back();
    cluster.places = places;
    add_layers(cluster, frame);
    cluster.frames.push_back(std::move(frame));
  }

  void add_layers(PlaceCluster& cluster, const PlaceFrame& frame) const {
    if (!frame.layer) return;
    const Values& values = symbol(frame).values[*frame.layer];
    cluster.layers.insert(values.begin(), values.end());
  }

  bool fits(const PlaceCluster& cluster, const PlaceFrame& frame,
            const std::set<Words>& places) const {
    const PlaceFrame& first = cluster.frames.front();
    if (first.key.size() != frame.key.size() ||
        first.layer.has_value() != frame.layer.has_value()) {
      return false;
    }
    std::size_t shared = 0;
    for (const Words& place : places) shared += cluster.places.contains(place) ? 1 : 0;
    return 10 * shared >= 7 * std::min(places.size(), cluster.places.size());
  }

  std::vector<Words> ordered(const std::set<Words>& places) const {
    std::vector<Words> result(places.begin(), places.end());
    if (result.front().size() == 1) {
      Values values;
      for (const Words& place : places) values.insert(place[0]);
      if (const auto order = in_order(values, recognition_.relations)) {
        std::transform(order->begin(), order->end(), result.begin(),
                       [](const std::string& value) { return Words{value}; });
        return result;
      }
    }
    std::sort(result.begin(), result.end(), [](const Words& a, const Words& b) {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), is_before);
    });
    return result;
  }

  // Neighbours by a static relation, or by the moves that name two places.
  Neighbourhood neighbours_of(const std::vector<Words>& places) const {
    if (places.size() < 3) return {};
    const bool are_numbers = std::all_of(places.begin(), places.end(), [](const Words& place) {
      return place.size() == 1 && is_number(place[0]);
    });
    if (are_numbers) return {};
    Neighbourhood found = find_neighbours(places, recognition_.relations);
    if (found.links.empty()) found = find_neighbours(places, move_relations());
    return found;
  }

  std::vector<Relation> move_relations() const {
    std::map<std::pair<std::string, std::size_t>, Relation> by_name;
    for (const Term& move : recognition_.moves) {
      Relation& relation = by_name[{move.name, move.arguments.size()}];
      relation.name = move.name;
      relation.arity = move.arguments.size();
      relation.tuples.push_back(move.arguments);
    }
    std::vector<Relation> relations;
    for (auto& [name, relation] : by_name) {
      if (relation.arity >= 2) relations.push_back(std::move(relation));
    }
    return relations;
  }

  // Whether the places form a whole rectangle of letters and numbers, or every other square of one.
  static bool is_rectangle(const std::vector<Words>& places) {
    Values letters, numbers;
    for (const Words& place : places) {
      if (place.size() != 1 || !is_composite(place[0])) return false;
      letters.insert(stem(place[0]));
      numbers.insert(place[0].substr(stem(place[0]).size()));
    }
    if (letters.size() < 2 || numbers.size() < 2) return false;
    if (letters.size() * numbers.size() == places.size()) return true;
    return 2 * places.size() == letters.size() * numbers.size() && have_one_colour(places);
  }

  // Whether all places are squares of the same colour of a chessboard: a1, c1, b2, ...
  static bool have_one_colour(const std::vector<Words>& places) {
    std::set<int> parities;
    for (const Words& place : places) {
      const std::string letter = stem(place[0]);
      if (letter.size() != 1) return false;
      parities.insert((letter[0] + place[0].back()) % 2);
    }
    return parities.size() == 1;
  }

  // A single fluent about one of several values in order.
  bool is_counter(const PlaceCluster& cluster) const {
    if (cluster.frames.size() != 1 || symbol(cluster.frames[0]).arity != 1) return false;
    const Symbol& of = symbol(cluster.frames[0]);
    return of.at_most_one() && in_order(of.values[0], recognition_.relations).has_value();
  }

  bool is_board(const PlaceCluster& cluster) const {
    const std::vector<Words> places = ordered(cluster.places);
    if (places.size() < 2 || is_counter(cluster)) return false;
    if (!neighbours_of(places).links.empty() || is_rectangle(places)) return true;
    if (rows_of_hexagons(places)) return true;
    if (places.front().size() > 1) return false;
    Values names;
    for (const Words& place : places) names.insert(place[0]);
    const bool has_order = in_order(names, recognition_.relations).has_value();
    std::size_t several = 0;
    for (const PlaceFrame& frame : cluster.frames) {
      const Symbol& of = symbol(frame);
      if (frame.contents.empty()) {
        several += of.most() >= 2 ? 1 : 0;
        continue;
      }
      const Values& contents = of.values[frame.contents[0]];
      const bool counts = in_order(contents, recognition_.relations).has_value();
      if (has_order || !counts) return true;
    }
    return several >= 2 || (several == 1 && has_order && places.size() >= 3) ||
           (several == 1 && !cluster.layers.empty());
  }

  void build(const PlaceCluster& cluster) {
    const std::vector<Words> places = ordered(cluster.places);
    Words layers(cluster.layers.begin(), cluster.layers.end());
    std::sort(layers.begin(), layers.end(), is_before);
    if (layers.empty()) layers.emplace_back();
    SceneModel::Coordinates coordinates;
    for (std::size_t l = 0; l < layers.size(); ++l) {
      const auto number = static_cast<std::uint32_t>(recognition_.model.boards.size());
      Picture::Board board = empty_board(cluster, places, number);
      board.title = layers[l];
      board.group = recognition_.groups;
      board.group_column = static_cast<std::uint32_t>(l);
      for (std::uint32_t i = 0; i < places.size(); ++i) {
        Words key = places[i];
        if (!layers[l].empty()) key.push_back(layers[l]);
        coordinates.places.emplace(key, SceneModel::PlaceOfBoard{number, i});
      }
      add_board(recognition_.model, std::move(board));
    }
    ++recognition_.groups;
    coordinates.values.resize(coordinates.places.begin()->first.size());
    for (const auto& [key, at] : coordinates.places) {
      for (std::size_t i = 0; i < key.size(); ++i) coordinates.values[i].insert(key[i]);
    }
    for (const PlaceFrame& frame : cluster.frames) {
      std::vector<std::size_t> positions = frame.key;
      if (frame.layer) positions.push_back(*frame.layer);
      coordinates.users.push_back({symbol(frame).name, symbol(frame).arity, positions});
      place(cluster, frame, positions, coordinates);
      recognition_.claimed[frame.symbol] = true;
    }
    recognition_.model.coordinates.push_back(std::move(coordinates));
  }

  Picture::Board empty_board(const PlaceCluster& cluster, const std::vector<Words>& places,
                             std::uint32_t number) const {
    Picture::Board board;
    for (std::size_t i = 0; i < places.size(); ++i) {
      Picture::Cell cell;
      for (const std::string& word : places[i]) {
        cell.title += (cell.title.empty() ? "" : " ") + word;
      }
      cell.id = "b" + std::to_string(number) + ":";
      for (std::size_t k = 0; k < places[i].size(); ++k) {
        cell.id += (k == 0 ? "" : ",") + places[i][k];
      }
      cell.x = static_cast<double>(i % max_places_of_line) + 0.5;
      cell.y = static_cast<double>(i / max_places_of_line) + 0.5;
      board.cells.push_back(std::move(cell));
    }
    board.shape = holds_numbers(cluster) ? Picture::Shape::heaps : Picture::Shape::row;
    board.width = static_cast<double>(std::min(places.size(), max_places_of_line));
    board.height = static_cast<double>((places.size() - 1) / max_places_of_line + 1);
    const Neighbourhood neighbours = neighbours_of(places);
    const auto hexagons = rows_of_hexagons(places);
    if (is_rectangle(places)) {
      make_grid(board, places);
    } else if (hexagons && are_close(*hexagons, neighbours.links)) {
      set_points(board, *hexagons);
      board.links = neighbours.links;
      board.shape = Picture::Shape::hexagons;
    } else if (!neighbours.links.empty()) {
      lay_out_places(board, neighbours, places);
    }
    return board;
  }

  // Games with a relation per direction may leave out one: places of the same letter with
  // consecutive numbers are tried as neighbours too, and kept if that makes hexagons.
  static void lay_out_places(Picture::Board& board, Neighbourhood neighbours,
                             const std::vector<Words>& places) {
    const std::vector<std::uint32_t> lines = lines_of(places);
    lay_out(board, neighbours, lines);
    const std::size_t known = neighbours.links.size();
    for (std::uint32_t i = 0; i + 1 < places.size(); ++i) {
      const bool is_line = is_composite(places[i][0]) && lines[i] == lines[i + 1];
      if (is_line) neighbours.links.emplace_back(i, i + 1);
    }
    if (neighbours.links.size() == known) return;
    std::sort(neighbours.links.begin(), neighbours.links.end());
    const auto last = std::unique(neighbours.links.begin(), neighbours.links.end());
    neighbours.links.erase(last, neighbours.links.end());
    Picture::Board changed = board;
    lay_out(changed, neighbours, lines);
    if (changed.shape == Picture::Shape::hexagons) board = std::move(changed);
  }

  bool holds_numbers(const PlaceCluster& cluster) const {
    return std::any_of(cluster.frames.begin(), cluster.frames.end(), [&](const PlaceFrame& frame) {
      if (frame.contents.empty()) return false;
      const Values& values = symbol(frame).values[frame.contents[0]];
      return values.size() > 2 && in_order(values, recognition_.relations).has_value();
    });
  }

  static void make_grid(Picture::Board& board, const std::vector<Words>& places) {
    Values letters, numbers;
    for (const Words& place : places) {
      letters.insert(stem(place[0]));
      numbers.insert(place[0].substr(stem(place[0]).size()));
    }
    board.shape = Picture::Shape::grid;
    board.columns.assign(letters.begin(), letters.end());
    board.rows.assign(numbers.begin(), numbers.end());
    std::sort(board.rows.begin(), board.rows.end(),
              [](const std::string& a, const std::string& b) { return is_before(b, a); });
    const auto index = [](const Words& all, const std::string& value) {
      return static_cast<double>(std::find(all.begin(), all.end(), value) - all.begin());
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string letter = stem(places[i][0]);
      board.cells[i].x = index(board.columns, letter) + 0.5;
      board.cells[i].y = index(board.rows, places[i][0].substr(letter.size())) + 0.5;
    }
    board.width = static_cast<double>(board.columns.size());
    board.height = static_cast<double>(board.rows.size());
  }

  // Places with the same letter are on one line.
  static std::vector<std::uint32_t> lines_of(const std::vector<Words>& places) {
    std::map<std::string, std::uint32_t> lines;
    for (const Words& place : places) lines.emplace(stem(place[0]), 0);
    std::uint32_t next = 0;
    for (auto& [name, line] : lines) line = next++;
    std::vector<std::uint32_t> result;
    for (const Words& place : places) result.push_back(lines.at(stem(place[0])));
    return result;
  }

  void place(const PlaceCluster& cluster, const PlaceFrame& frame,
             const std::vector<std::size_t>& positions,
             const SceneModel::Coordinates& coordinates) {
    const Symbol& of = symbol(frame);
    Values contents = frame.contents.empty() ? Values{} : of.values[frame.contents[0]];
    const bool has_main = !cluster.frames.front().contents.empty();
    const bool is_extra = &frame != &cluster.frames.front() && has_main;
    for (std::size_t i = 0; i < of.fluents.size(); ++i) {
      const auto at = coordinates.places.find(values_at(of.arguments[i], positions));
      if (at == coordinates.places.end()) continue;
      Placement placement{.board = at->second.board, .place = at->second.place};
      placement.text = frame.contents.empty() ? of.name : of.arguments[i][frame.contents[0]];
      if (is_blank(placement.text, contents, recognition_.roles)) {
        placement.kind = Placement::Kind::cell;
      } else if (is_extra) {
        placement.token_kind = "mark";
        if (!frame.contents.empty()) placement.text = of.name + " " + placement.text;
      }
      recognition_.place(of, i, std::move(placement));
    }
  }

  Recognition& recognition_;
  std::vector<PlaceFrame> frames_;
  std::vector<PlaceCluster> clusters_;
};

}  // namespace

void recognise_places(Recognition& recognition) { Places(recognition).run(); }

}  // namespace zermelo::analysis::scene
