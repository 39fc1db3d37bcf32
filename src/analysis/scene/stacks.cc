#include <algorithm>
#include <map>

#include "analysis/scene/recognise.h"

namespace zermelo::analysis::scene {
namespace {

using Placement = SceneModel::Placement;

// Follows what is under a thing; true if it comes back to the start.
bool is_cyclic(const std::map<std::string, std::string>& under, const std::string& start) {
  std::string here = start;
  for (std::size_t steps = 0; steps <= under.size(); ++steps) {
    const auto next = under.find(here);
    if (next == under.end()) return false;
    here = next->second;
  }
  return true;
}

bool has_cycle(const Symbol& symbol, const std::vector<std::uint32_t>& state) {
  std::map<std::string, std::string> under;
  for (const std::uint32_t fluent : state) {
    under.emplace(symbol.arguments[fluent][0], symbol.arguments[fluent][1]);
  }
  return std::any_of(under.begin(), under.end(),
                     [&](const auto& pair) { return is_cyclic(under, pair.first); });
}

bool is_stack(const Symbol& symbol) {
  if (symbol.arity != 2 || symbol.values[0].size() < 2 || symbol.most() == 0) return false;
  const auto &above = symbol.values[0], &below = symbol.values[1];
  if (2 * common(above, below) < above.size() || is_number(*above.begin())) return false;
  const bool is_on_itself = std::any_of(symbol.arguments.begin(), symbol.arguments.end(),
                                        [](const Words& words) { return words[0] == words[1]; });
  if (is_on_itself || !symbol.one_per({0}) || !symbol.one_per({1})) return false;
  return std::none_of(symbol.samples.begin(), symbol.samples.end(),
                      [&](const auto& state) { return has_cycle(symbol, state); });
}

// Cells for all things: first what nothing can move, the feet of the stacks, then the others.
Picture::Board stack_board(const Symbol& symbol, std::uint32_t number, std::uint32_t group) {
  Picture::Board board;
  board.shape = Picture::Shape::stacks;
  board.group = group;
  Words feet, things(symbol.values[0].begin(), symbol.values[0].end());
  for (const std::string& below : symbol.values[1]) {
    if (!symbol.values[0].contains(below)) feet.push_back(below);
  }
  std::sort(feet.begin(), feet.end(), is_before);
  std::sort(things.begin(), things.end(), is_before);
  board.columns = feet;
  board.names = things;
  const std::size_t stacks = feet.empty() ? things.size() : feet.size();
  board.width = static_cast<double>(stacks);
  board.height = static_cast<double>(things.size() + (feet.empty() ? 0 : 1));
  feet.insert(feet.end(), things.begin(), things.end());
  for (const std::string& name : feet) {
    Picture::Cell cell;
    cell.id = "b" + std::to_string(number) + ":" + name;
    cell.title = name;
    board.cells.push_back(std::move(cell));
  }
  return board;
}

std::string number_at_end(const std::string& name) { return name.substr(stem(name).size()); }

// Fluents about single things: clear and on the table say what the picture shows anyway.
void claim_properties(Recognition& recognition, const Symbol& stack, std::uint32_t board,
                      const std::map<std::string, std::uint32_t>& cells) {
  static const std::set<std::string> visible = {"clear", "table", "ontable",
                                                "top",   "free",  "floor"};
  for (std::size_t i = 0; i < recognition.symbols.size(); ++i) {
    const Symbol& symbol = recognition.symbols[i];
    if (recognition.claimed[i] || symbol.arity != 1) continue;
    const bool is_about_cells =
        std::all_of(symbol.values[0].begin(), symbol.values[0].end(),
                    [&](const std::string& value) { return cells.contains(value); });
    if (!is_about_cells || number_at_end(symbol.name) != number_at_end(stack.name)) continue;
    for (std::size_t k = 0; k < symbol.fluents.size(); ++k) {
      Placement placement{.board = board, .place = cells.at(symbol.arguments[k][0])};
      placement.text = symbol.name;
      placement.token_kind = "mark";
      if (visible.contains(stem(symbol.name))) placement.kind = Placement::Kind::cell;
      recognition.place(symbol, k, std::move(placement));
    }
    recognition.claimed[i] = true;
  }
}

}  // namespace

void recognise_stacks(Recognition& recognition) {
  for (std::size_t i = 0; i < recognition.symbols.size(); ++i) {
    const Symbol& symbol = recognition.symbols[i];
    if (recognition.claimed[i] || !is_stack(symbol)) continue;
    SceneModel& model = recognition.model;
    const auto number = static_cast<std::uint32_t>(model.boards.size());
    Picture::Board board = stack_board(symbol, number, recognition.groups++);
    std::map<std::string, std::uint32_t> cells;
    SceneModel::Coordinates coordinates;
    coordinates.values.emplace_back();
    for (std::uint32_t c = 0; c < board.cells.size(); ++c) {
      const std::string& name = board.cells[c].title;
      cells.emplace(name, c);
      coordinates.places.emplace(Words{name}, SceneModel::PlaceOfBoard{number, c});
      coordinates.values[0].insert(name);
    }
    add_board(model, std::move(board));
    for (std::size_t k = 0; k < symbol.fluents.size(); ++k) {
      Placement placement{.kind = Placement::Kind::on, .board = number};
      placement.place = cells.at(symbol.arguments[k][0]);
      placement.other = cells.at(symbol.arguments[k][1]);
      recognition.place(symbol, k, std::move(placement));
    }
    recognition.claimed[i] = true;
    model.coordinates.push_back(std::move(coordinates));
    claim_properties(recognition, symbol, number, cells);
  }
}

void recognise_sequences(Recognition& recognition) {
  for (std::size_t i = 0; i < recognition.symbols.size(); ++i) {
    const Symbol& symbol = recognition.symbols[i];
    if (recognition.claimed[i] || symbol.arity < 3 || !symbol.at_most_one() || symbol.most() == 0) {
      continue;
    }
    const auto is_list = [&](const Words& words) {
      return std::set<std::string>(words.begin(), words.end()).size() == words.size();
    };
    if (symbol.values[0].size() != symbol.arity ||
        !std::all_of(symbol.arguments.begin(), symbol.arguments.end(), is_list)) {
      continue;
    }
    Picture::Board board;
    board.shape = Picture::Shape::row;
    board.title = symbol.name;
    board.group = recognition.groups++;
    board.width = static_cast<double>(symbol.arity);
    board.height = 1;
    board.names.assign(symbol.values[0].begin(), symbol.values[0].end());
    const std::string prefix = "b" + std::to_string(recognition.model.boards.size()) + ":";
    for (std::size_t k = 0; k < symbol.arity; ++k) {
      const std::string name = std::to_string(k + 1);
      board.cells.push_back({prefix + name, name, static_cast<double>(k) + 0.5, 0.5});
    }
    const std::uint32_t number = add_board(recognition.model, std::move(board));
    for (std::size_t k = 0; k < symbol.fluents.size(); ++k) {
      Placement placement{.kind = Placement::Kind::sequence, .board = number};
      for (const std::string& word : symbol.arguments[k]) {
        placement.text += (placement.text.empty() ? "" : " ") + word;
      }
      recognition.place(symbol, k, std::move(placement));
    }
    recognition.claimed[i] = true;
  }
}

}  // namespace zermelo::analysis::scene
