// A place in a game whose moves are told by name, as messages tell them.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/simulator.h"

namespace zermelo::serve {

using search::Move;

class Position {
 public:
  // The initial state.
  explicit Position(std::shared_ptr<const search::Simulator> simulator);
  // The same place in the same game.
  Position(const Position& other);
  Position(Position&&) = default;
  Position& operator=(Position&&) = default;

  const search::Simulator& simulator() const { return *simulator_; }
  search::State state() { return walker_->state(); }
  bool terminal() { return walker_->terminal(); }
  int goal(std::size_t role) { return walker_->goal(role); }
  std::span<const Move> legal(std::size_t role) { return walker_->legal(role); }
  bool everybody_can_move();
  // The legal move of that name.
  std::optional<Move> find(std::size_t role, const std::string& name) {
    return search::find_move(*simulator_, *walker_, role, name);
  }
  // Makes the moves, one per role. False, and nothing changes, where they are not legal or the game
  // is over.
  bool make(std::span<const std::string> names);
  void make(std::span<const Move> joint) { walker_->make(joint); }

 private:
  std::shared_ptr<const search::Simulator> simulator_;
  std::unique_ptr<search::Walker> walker_;
};

}  // namespace zermelo::serve
