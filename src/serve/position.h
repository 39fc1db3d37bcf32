// A position in a game whose moves are given by name, as in messages.
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
  // Starts at the initial state.
  explicit Position(std::shared_ptr<const search::Simulator> simulator);
  // Copies the position; the game is shared.
  Position(const Position& other);
  Position(Position&&) = default;
  Position& operator=(Position&&) = default;

  const search::Simulator& simulator() const { return *simulator_; }
  search::State state() { return walker_->state(); }
  bool terminal() { return walker_->terminal(); }
  int goal(std::size_t role) { return walker_->goal(role); }
  std::span<const Move> legal(std::size_t role) { return walker_->legal(role); }
  bool everybody_can_move();
  // Returns the legal move of that name, if any.
  std::optional<Move> find(std::size_t role, const std::string& name) {
    return search::find_move(*simulator_, *walker_, role, name);
  }
  // Makes the moves, one per role. Returns false and changes nothing if they are not legal or the
  // game is over.
  bool make(std::span<const std::string> names);
  void make(std::span<const Move> joint) { walker_->make(joint); }

 private:
  std::shared_ptr<const search::Simulator> simulator_;
  std::unique_ptr<search::Walker> walker_;
};

}  // namespace zermelo::serve
