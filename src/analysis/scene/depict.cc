// Makes the picture of a state from the placements of its fluents.
#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "analysis/scene.h"
#include "analysis/scene/model.h"
#include "analysis/scene/relations.h"

namespace zermelo::analysis {
namespace {

using Kind = SceneModel::Placement::Kind;

class Depiction {
 public:
  explicit Depiction(const SceneModel& model) : model_(model) { picture_.boards = model.boards; }

  Picture of(std::vector<std::string> fluents) {
    std::sort(fluents.begin(), fluents.end());
    for (const std::string& fluent : fluents) {
      const auto placement = model_.placements.find(fluent);
      if (placement == model_.placements.end()) {
        picture_.others.push_back(fluent);
      } else {
        add(fluent, placement->second);
      }
    }
    for (std::uint32_t i = 0; i < picture_.boards.size(); ++i) {
      if (picture_.boards[i].shape == Picture::Shape::stacks) stack_up(i);
    }
    join_axes();
    sort_lists();
    return std::move(picture_);
  }

 private:
  void add(const std::string& fluent, const SceneModel::Placement& placement) {
    switch (placement.kind) {
      case Kind::cell:
        cell(placement).fluents.push_back(fluent);
        break;
      case Kind::token:
        cell(placement).tokens.push_back(
            {placement.text, placement.token_kind, placement.side, {fluent}});
        break;
      case Kind::counter:
        picture_.counters.push_back({placement.text, placement.value, {fluent}});
        break;
      case Kind::turn:
        picture_.turns.push_back({placement.text, placement.value, {fluent}});
        break;
      case Kind::hand:
        add_to_hand(fluent, placement);
        break;
      case Kind::on:
        on_[placement.board][placement.place] = {placement.other, fluent};
        break;
      case Kind::sequence:
        add_sequence(fluent, placement);
        break;
      case Kind::column:
        axes_[{placement.board, placement.text}].columns.emplace_back(placement.place, fluent);
        break;
      case Kind::row:
        axes_[{placement.board, placement.text}].rows.emplace_back(placement.place, fluent);
        break;
    }
  }

  Picture::Cell& cell(const SceneModel::Placement& placement) {
    return picture_.boards[placement.board].cells[placement.place];
  }

  void add_to_hand(const std::string& fluent, const SceneModel::Placement& placement) {
    const auto hand =
        std::find_if(picture_.hands.begin(), picture_.hands.end(),
                     [&](const Picture::Hand& known) { return known.owner == placement.owner; });
    const Picture::Hand::Item item{placement.text, placement.value, {fluent}};
    if (hand == picture_.hands.end()) {
      picture_.hands.push_back({placement.owner, {item}});
    } else {
      hand->items.push_back(item);
    }
  }

  void add_sequence(const std::string& fluent, const SceneModel::Placement& placement) {
    std::istringstream words(placement.text);
    std::string word;
    for (Picture::Cell& cell : picture_.boards[placement.board].cells) {
      if (!(words >> word)) return;
      cell.tokens.push_back({word});
      if (&cell == &picture_.boards[placement.board].cells.front()) {
        cell.tokens.back().fluents.push_back(fluent);
      }
    }
  }

  struct Below {
    std::uint32_t place;
    std::string fluent;
  };

  // Puts things on what they are on. The feet, which are the first cells, have a column each;
  // without feet the things that are on nothing are the feet.
  void stack_up(std::uint32_t number) {
    Picture::Board& board = picture_.boards[number];
    const std::map<std::uint32_t, Below>& on = on_[number];
    const std::size_t feet = board.columns.size();
    for (std::uint32_t i = 0; i < board.cells.size(); ++i) {
      std::uint32_t foot = i;
      std::size_t height = 0;
      for (auto below = on.find(foot); below != on.end() && height <= board.cells.size();
           below = on.find(foot)) {
        foot = below->second.place;
        ++height;
      }
      const double column = feet == 0 || foot < feet ? foot : 0;
      board.cells[i].x = column + 0.5;
      board.cells[i].y = board.height - 0.5 - static_cast<double>(height);
      if (i < feet) continue;
      Picture::Token token{board.cells[i].title};
      if (const auto below = on.find(i); below != on.end()) token.fluents = {below->second.fluent};
      board.cells[i].tokens.insert(board.cells[i].tokens.begin(), std::move(token));
    }
  }

  struct Position {
    std::vector<std::pair<std::uint32_t, std::string>> columns, rows;
  };

  void join_axes() {
    for (const auto& [key, position] : axes_) {
      const auto& [number, name] = key;
      if (position.columns.size() == 1 && position.rows.size() == 1) {
        Picture::Board& board = picture_.boards[number];
        const auto& [column, column_fluent] = position.columns[0];
        const auto& [row, row_fluent] = position.rows[0];
        board.cells[row * board.columns.size() + column].tokens.push_back(
            {name, "", Picture::Side::inside, {column_fluent, row_fluent}});
        continue;
      }
      for (const auto& [place, fluent] : position.columns) picture_.others.push_back(fluent);
      for (const auto& [place, fluent] : position.rows) picture_.others.push_back(fluent);
    }
  }

  void sort_lists() {
    const auto by_name = [](const Picture::Counter& a, const Picture::Counter& b) {
      if (a.name != b.name) return scene::is_before(a.name, b.name);
      return scene::is_before(a.value, b.value);
    };
    std::sort(picture_.counters.begin(), picture_.counters.end(), by_name);
    std::sort(picture_.turns.begin(), picture_.turns.end(), by_name);
    std::sort(picture_.hands.begin(), picture_.hands.end(),
              [](const auto& a, const auto& b) { return scene::is_before(a.owner, b.owner); });
    for (Picture::Hand& hand : picture_.hands) {
      std::sort(hand.items.begin(), hand.items.end(),
                [](const auto& a, const auto& b) { return scene::is_before(a.name, b.name); });
    }
    std::sort(picture_.others.begin(), picture_.others.end());
  }

  const SceneModel& model_;
  Picture picture_;
  std::map<std::uint32_t, std::map<std::uint32_t, Below>> on_;  // by board and place
  std::map<std::pair<std::uint32_t, std::string>, Position> axes_;
};

bool looks_the_same(const Picture::Cell& a, const Picture::Cell& b) {
  return a.x == b.x && a.y == b.y &&
         std::equal(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end(),
                    [](const Picture::Token& x, const Picture::Token& y) {
                      return x.name == y.name && x.kind == y.kind && x.side == y.side;
                    });
}

}  // namespace

Picture Scene::depict(const std::vector<std::string>& fluents) const {
  return Depiction(*model_).of(fluents);
}

std::vector<std::string> changed_cells(const Picture& before, const Picture& after) {
  std::map<std::string, const Picture::Cell*> earlier;
  for (const Picture::Board& board : before.boards) {
    for (const Picture::Cell& cell : board.cells) earlier.emplace(cell.id, &cell);
  }
  std::vector<std::string> changed;
  for (const Picture::Board& board : after.boards) {
    for (const Picture::Cell& cell : board.cells) {
      const auto known = earlier.find(cell.id);
      if (known == earlier.end() || !looks_the_same(*known->second, cell))
        changed.push_back(cell.id);
    }
  }
  return changed;
}

}  // namespace zermelo::analysis
