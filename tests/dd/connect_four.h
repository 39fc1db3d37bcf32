// Connect Four, built directly from cases of moves: a fixture for tests and benchmarks of diagrams.
// The variables are the player to move, then the cells, column by column from the centre outwards.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "dd/best.h"
#include "dd/conditions.h"
#include "dd/diagram.h"
#include "dd/image.h"
#include "dd/operations.h"
#include "dd/relation.h"

namespace zermelo::dd {

class ConnectFour {
 public:
  // Constants of layers.
  static constexpr NodeId first_wins = 1, draw = 2, second_wins = 3, not_terminal = 4;
  static constexpr NodeId outcomes = 3, constants = 5;

  ConnectFour(int width, int height) : width_(width), height_(height) {
    domains_.assign(static_cast<std::size_t>(1 + width * height), 3);
    domains_[0] = 2;
    for (int i = 0; i < width; ++i) {
      const int middle = (width - 1) / 2, step = (i + 1) / 2;
      columns_.push_back(i % 2 == 1 ? middle + step : middle - step);
    }
    position_.resize(static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      position_[static_cast<std::size_t>(columns_[i])] = i;
    }
  }

  const Domains& domains() const { return domains_; }
  int cells() const { return width_ * height_; }

  std::vector<Case> cases() const {
    std::vector<Case> result;
    for (Value player = 0; player < 2; ++player) {
      for (int column = 0; column < width_; ++column) {
        for (int row = 0; row < height_; ++row) result.push_back(drop(player, column, row));
      }
    }
    return result;
  }

  Diagram start() const {
    Conditions conditions(domains_);
    Conditions::Id all = Conditions::always;
    for (std::size_t v = 0; v < domains_.size(); ++v) {
      all = *conditions.both(all, conditions.literal(v, {0}));
    }
    return *relabel(conditions.diagram(all), {0, not_terminal}, constants);
  }

  // Returns the class of each state after a move of the player, on a full board or not.
  Diagram classes(Value player, bool board_full) const {
    Conditions conditions(domains_);
    Conditions::Id line = Conditions::never;
    for (const auto& cells : lines()) {
      Conditions::Id one = Conditions::always;
      for (auto cell = cells.rbegin(); cell != cells.rend(); ++cell) {
        one = *conditions.both(conditions.literal(*cell, {player + 1}), one);
      }
      line = *conditions.either(line, one);
    }
    return *relabel(conditions.diagram(line),
                    {board_full ? draw : not_terminal, player == 0 ? first_wins : second_wins},
                    constants);
  }

  base::Result<std::vector<Diagram>> layers(const Relation& relation,
                                            const Options& options = {}) const {
    const Diagram after[] = {classes(0, false), classes(1, false)};
    std::vector<Diagram> result = {start()};
    for (int ply = 1; ply <= cells(); ++ply) {
      const Value player = static_cast<Value>((ply - 1) % 2);
      ImageQuery query{result.back(),
                       relation,
                       {false, false, false, false, true},
                       ply < cells() ? after[player] : classes(player, true)};
      auto next = image(query, options);
      if (!next) return tl::unexpected(next.error());
      result.push_back(std::move(*next));
    }
    return result;
  }

  static mpz_class count(const std::vector<Diagram>& layers) {
    mpz_class sum = 0;
    for (const Diagram& layer : layers) {
      for (NodeId c = 1; c < layer.constants(); ++c) sum += layer.count(c);
    }
    return sum;
  }

  struct Solved {
    std::vector<Diagram> values;             // by ply
    mpz_class won = 0, drawn = 0, lost = 0;  // for the side to move
  };

  base::Result<Solved> solve(const std::vector<Diagram>& layers, const Relation& relation,
                             const Options& options = {}) const {
    Solved solved;
    solved.values.assign(layers.size(), Diagram::constant(domains_, outcomes + 1, 0));
    for (std::size_t ply = layers.size(); ply-- > 0;) {
      const bool second = ply % 2 == 1;
      Mover mover{not_terminal, {first_wins, draw, second_wins}};
      if (second) std::swap(mover.order[0], mover.order[2]);
      const Diagram next = ply + 1 < layers.size() ? solved.values[ply + 1] : solved.values[ply];
      auto best =
          best_over_successors({outcomes, layers[ply], next, relation, {mover}, true}, options);
      if (!best) return tl::unexpected(best.error());
      solved.values[ply] = std::move(best->values);
      solved.won += best->counts[second ? second_wins : first_wins];
      solved.drawn += best->counts[draw];
      solved.lost += best->counts[second ? first_wins : second_wins];
    }
    return solved;
  }

 private:
  std::size_t variable(int column, int row) const {
    return 1 + position_[static_cast<std::size_t>(column)] * static_cast<std::size_t>(height_) +
           static_cast<std::size_t>(row);
  }

  Case drop(Value player, int column, int row) const {
    Case result{{{0, {player}, 1 - player}, {variable(column, row), {0}, player + 1}}};
    if (row > 0) result.touched.push_back({variable(column, row - 1), {1, 2}});
    return result;
  }

  std::vector<std::vector<std::size_t>> lines() const {
    constexpr int directions[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    std::vector<std::vector<std::size_t>> result;
    for (const auto& [across, up] : directions) {
      for (int column = 0; column < width_; ++column) {
        for (int row = 0; row < height_; ++row) {
          const int last_column = column + 3 * across, last_row = row + 3 * up;
          if (last_column >= width_ || last_row >= height_ || last_row < 0) continue;
          std::vector<std::size_t>& line = result.emplace_back();
          for (int i = 0; i < 4; ++i) line.push_back(variable(column + i * across, row + i * up));
          std::sort(line.begin(), line.end());
        }
      }
    }
    return result;
  }

  int width_, height_;
  Domains domains_;
  std::vector<int> columns_;           // from the top level down
  std::vector<std::size_t> position_;  // by column: its index in columns_
};

}  // namespace zermelo::dd
