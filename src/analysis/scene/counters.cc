#include <algorithm>
#include <map>
#include <optional>

#include "analysis/scene/recognise.h"

namespace zermelo::analysis::scene {
namespace {

using Placement = SceneModel::Placement;

std::string joined(const Words& words, std::optional<std::size_t> without = {}) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (without == i) continue;
    text += (text.empty() ? "" : " ") + words[i];
  }
  return text;
}

bool sounds_like_turn(const std::string& name) {
  return name.find("control") != std::string::npos || name.find("turn") != std::string::npos ||
         name.find("tomove") != std::string::npos || name.find("whose") != std::string::npos;
}

// The argument that is the role whose turn it is.
std::optional<std::size_t> mover(const Recognition& recognition, const Symbol& symbol) {
  for (std::size_t i = 0; i < symbol.arity; ++i) {
    if (!recognition.is_role(symbol.values[i])) continue;
    const bool decides = recognition.hints.movers.contains({symbol.name, symbol.arity, i}) &&
                         symbol.values[i] == recognition.roles;
    if (sounds_like_turn(symbol.name) || (decides && symbol.arity == 1)) return i;
  }
  return std::nullopt;
}

bool is_turn(const Symbol& symbol, std::size_t role) {
  if (symbol.arity > 2 || symbol.most() == 0) return false;
  if (symbol.at_most_one()) return true;
  return symbol.arity == 2 && symbol.one_per({1 - role});  // one clock per board
}

// The argument that all others determine, the last if there are several.
std::optional<std::size_t> determined(const Symbol& symbol) {
  for (std::size_t i = symbol.arity; i-- > 0;) {
    std::vector<std::size_t> others;
    for (std::size_t k = 0; k < symbol.arity; ++k) {
      if (k != i) others.push_back(k);
    }
    if (symbol.one_per(others)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> role_argument(const Recognition& recognition, const Symbol& symbol) {
  for (std::size_t i = 0; i < symbol.arity; ++i) {
    if (recognition.is_role(symbol.values[i])) return i;
  }
  return std::nullopt;
}

bool are_numbers(const Recognition& recognition, const std::set<std::string>& values) {
  return std::all_of(values.begin(), values.end(), is_number) ||
         in_order(values, recognition.relations).has_value();
}

void place_counters(Recognition& recognition, const Symbol& symbol, std::size_t value) {
  for (std::size_t i = 0; i < symbol.fluents.size(); ++i) {
    Placement placement{.kind = Placement::Kind::counter};
    const std::string key = joined(symbol.arguments[i], value);
    placement.text = symbol.name + (key.empty() ? "" : " " + key);
    placement.value = symbol.arguments[i][value];
    recognition.place(symbol, i, std::move(placement));
  }
}

// What a role has: (owns red 3), (inhand black pawn 2).
void place_hand(Recognition& recognition, const Symbol& symbol, std::optional<std::size_t> owner,
                std::optional<std::size_t> count) {
  for (std::size_t i = 0; i < symbol.fluents.size(); ++i) {
    Placement placement{.kind = Placement::Kind::hand};
    placement.owner = symbol.name;
    if (owner) placement.owner = symbol.arguments[i][*owner] + " " + placement.owner;
    if (count) placement.value = symbol.arguments[i][*count];
    for (std::size_t k = 0; k < symbol.arity; ++k) {
      if (owner == k || count == k) continue;
      placement.text += (placement.text.empty() ? "" : " ") + symbol.arguments[i][k];
    }
    recognition.place(symbol, i, std::move(placement));
  }
}

bool recognise_one(Recognition& recognition, const Symbol& symbol) {
  if (symbol.arity == 0) return false;
  const auto role = role_argument(recognition, symbol);
  const auto value = determined(symbol);
  if (symbol.arity == 1) {
    if (symbol.at_most_one()) return place_counters(recognition, symbol, 0), true;
    return place_hand(recognition, symbol, std::nullopt, std::nullopt), true;
  }
  const bool is_count = value && value != role && are_numbers(recognition, symbol.values[*value]);
  if (role && symbol.arity == 3 && is_count) {
    return place_hand(recognition, symbol, role, value), true;
  }
  if (value && symbol.arity == 2) return place_counters(recognition, symbol, *value), true;
  if (role && symbol.arity == 2) return place_hand(recognition, symbol, role, std::nullopt), true;
  if (is_count) return place_counters(recognition, symbol, *value), true;
  return false;
}

// The name of the row that belongs to a column: posy to posx.
std::optional<std::string> row_name(const std::string& name) {
  const std::size_t x = name.rfind('x');
  if (x == std::string::npos) return std::nullopt;
  std::string other = name;
  other[x] = 'y';
  return other;
}

struct AxisPair {
  std::size_t columns, rows;  // symbols
};

bool is_axis(const Recognition& recognition, const Symbol& symbol) {
  constexpr std::size_t max_values = 64;
  const std::size_t value = symbol.arity - 1;
  if (symbol.arity > 2 || symbol.values[value].size() > max_values) return false;
  if (symbol.values[value].size() < 3) return false;
  const bool is_one = symbol.arity == 1 ? symbol.at_most_one() : symbol.one_per({0});
  return is_one && in_order(symbol.values[value], recognition.relations).has_value();
}

std::optional<AxisPair> find_axes(const Recognition& recognition) {
  const auto& symbols = recognition.symbols;
  for (std::size_t a = 0; a < symbols.size(); ++a) {
    if (recognition.claimed[a] || symbols[a].arity == 0 || !is_axis(recognition, symbols[a]))
      continue;
    const auto name = row_name(symbols[a].name);
    const bool is_speed = symbols[a].name.find("vel") != std::string::npos ||
                          symbols[a].name.find("speed") != std::string::npos;
    if (!name || is_speed) continue;
    for (std::size_t b = 0; b < symbols.size(); ++b) {
      if (recognition.claimed[b] || symbols[b].name != *name ||
          symbols[b].arity != symbols[a].arity) {
        continue;
      }
      if (is_axis(recognition, symbols[b])) return AxisPair{a, b};
    }
  }
  return std::nullopt;
}

void place_axis(Recognition& recognition, const Symbol& symbol, std::uint32_t board,
                Placement::Kind kind, const Words& order) {
  for (std::size_t i = 0; i < symbol.fluents.size(); ++i) {
    Placement placement{.kind = kind, .board = board};
    const Words& words = symbol.arguments[i];
    placement.place = static_cast<std::uint32_t>(
        std::find(order.begin(), order.end(), words.back()) - order.begin());
    placement.text = words.size() == 2 ? words[0] : "position";
    recognition.place(symbol, i, std::move(placement));
  }
}

}  // namespace

void recognise_turns(Recognition& recognition) {
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (std::size_t i = 0; i < recognition.symbols.size(); ++i) {
    const Symbol& symbol = recognition.symbols[i];
    if (recognition.claimed[i]) continue;
    const auto role = mover(recognition, symbol);
    if (role && is_turn(symbol, *role)) found.emplace_back(i, *role);
  }
  for (const auto& [number, role] : found) {
    const Symbol& symbol = recognition.symbols[number];
    for (std::size_t i = 0; i < symbol.fluents.size(); ++i) {
      Placement placement{.kind = Placement::Kind::turn};
      placement.value = symbol.arguments[i][role];
      const std::string more = joined(symbol.arguments[i], role);
      placement.text = found.size() > 1 ? symbol.name : "";
      if (!more.empty()) placement.text += (placement.text.empty() ? "" : " ") + more;
      recognition.place(symbol, i, std::move(placement));
    }
    recognition.claimed[number] = true;
  }
}

void recognise_axes(Recognition& recognition) {
  while (const auto pair = find_axes(recognition)) {
    const Symbol& columns = recognition.symbols[pair->columns];
    const Symbol& rows = recognition.symbols[pair->rows];
    Picture::Board board;
    board.group = recognition.groups++;
    board.columns = *in_order(columns.values.back(), recognition.relations);
    const Words upwards = *in_order(rows.values.back(), recognition.relations);
    board.rows.assign(upwards.rbegin(), upwards.rend());
    board.width = static_cast<double>(board.columns.size());
    board.height = static_cast<double>(board.rows.size());
    const auto number = static_cast<std::uint32_t>(recognition.model.boards.size());
    for (std::size_t r = 0; r < board.rows.size(); ++r) {
      for (std::size_t c = 0; c < board.columns.size(); ++c) {
        Picture::Cell cell;
        cell.title = board.columns[c] + " " + board.rows[r];
        cell.id = "b" + std::to_string(number) + ":" + board.columns[c] + "," + board.rows[r];
        cell.x = static_cast<double>(c) + 0.5;
        cell.y = static_cast<double>(r) + 0.5;
        board.cells.push_back(std::move(cell));
      }
    }
    place_axis(recognition, columns, number, Placement::Kind::column, board.columns);
    place_axis(recognition, rows, number, Placement::Kind::row, board.rows);
    add_board(recognition.model, std::move(board));
    recognition.claimed[pair->columns] = recognition.claimed[pair->rows] = true;
  }
}

void recognise_counters(Recognition& recognition) {
  for (std::size_t i = 0; i < recognition.symbols.size(); ++i) {
    if (recognition.claimed[i]) continue;
    recognition.claimed[i] = recognise_one(recognition, recognition.symbols[i]);
  }
}

}  // namespace zermelo::analysis::scene
