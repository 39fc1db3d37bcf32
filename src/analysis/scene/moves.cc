// A move names a cell if consecutive arguments are the coordinates of one in nearly all moves of
// its form. Where several readings are possible, as for the number and the two coordinates of
// (place 3 1 2), the rules decide: an argument is a coordinate if a rule has the same variable for
// it and for that coordinate of a fluent.
#include <algorithm>
#include <map>
#include <utility>

#include "analysis/scene/recognise.h"

namespace zermelo::analysis::scene {
namespace {

using Coordinates = SceneModel::Coordinates;

struct Window {
  std::size_t coordinates, first, width;
  int votes;
};

// How many rules join the arguments of the window with the coordinates.
int votes_for(const Recognition& recognition, const Term& form, const Coordinates& coordinates,
              std::size_t first) {
  int votes = 0;
  for (const Coordinates::User& user : coordinates.users) {
    for (std::size_t i = 0; i < user.positions.size(); ++i) {
      const ArgumentOf of_move{form.name, form.arguments.size(), first + i};
      const ArgumentOf of_fluent{user.name, user.arity, user.positions[i]};
      const auto shared = recognition.hints.shared.find({of_move, of_fluent});
      if (shared != recognition.hints.shared.end()) votes += shared->second;
    }
  }
  return votes;
}

bool names_cells(const std::vector<const Term*>& moves, const Coordinates& coordinates,
                 std::size_t first) {
  const auto width = static_cast<std::ptrdiff_t>(coordinates.values.size());
  const auto names_one = [&](const Term* move) {
    const auto begin = move->arguments.begin() + static_cast<std::ptrdiff_t>(first);
    return coordinates.places.contains(Words(begin, begin + width));
  };
  const auto count = std::count_if(moves.begin(), moves.end(), names_one);
  return 10 * static_cast<std::size_t>(count) >= 9 * moves.size();
}

std::vector<Window> windows_of(const Recognition& recognition,
                               const std::vector<const Term*>& moves) {
  std::vector<Window> windows;
  const std::size_t arity = moves.front()->arguments.size();
  const auto& all = recognition.model.coordinates;
  for (std::size_t c = 0; c < all.size(); ++c) {
    const std::size_t width = all[c].values.size();
    for (std::size_t first = 0; first + width <= arity; ++first) {
      if (!names_cells(moves, all[c], first)) continue;
      windows.push_back({c, first, width, votes_for(recognition, *moves.front(), all[c], first)});
    }
  }
  return windows;
}

bool overlap(const Window& a, const Window& b) {
  return a.first < b.first + b.width && b.first < a.first + a.width;
}

std::vector<Window> chosen(std::vector<Window> windows) {
  std::stable_sort(windows.begin(), windows.end(),
                   [](const Window& a, const Window& b) { return a.votes > b.votes; });
  std::vector<Window> result;
  for (const Window& window : windows) {
    const bool is_free = std::none_of(result.begin(), result.end(),
                                      [&](const Window& other) { return overlap(window, other); });
    if (is_free) result.push_back(window);
  }
  std::sort(result.begin(), result.end(),
            [](const Window& a, const Window& b) { return a.first < b.first; });
  return result;
}

}  // namespace

void recognise_moves(Recognition& recognition) {
  std::map<std::pair<std::string, std::size_t>, std::vector<const Term*>> forms;
  for (const Term& move : recognition.moves) {
    forms[{move.name, move.arguments.size()}].push_back(&move);
  }
  for (const auto& [form, moves] : forms) {
    std::vector<SceneModel::NamedCell> cells;
    for (const Window& window : chosen(windows_of(recognition, moves))) {
      cells.push_back({window.coordinates, window.first});
    }
    if (!cells.empty()) recognition.model.cells_of_moves.emplace(form, std::move(cells));
  }
}

}  // namespace zermelo::analysis::scene
