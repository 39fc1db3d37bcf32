// A state of a game, as Python sees it: a value that never changes.
//
// All states of a game share one position. A state that was just reached is at the position, which
// knows its legal moves and steps on without copying; another state goes there when it is asked.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "python/game.h"

namespace zermelo::python {

class State {
 public:
  // The initial state.
  explicit State(std::shared_ptr<Game> game);
  State(std::shared_ptr<Game> game, machine::State fluents);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  const std::shared_ptr<Game>& game() const { return game_; }
  const machine::State& fluents() const { return fluents_; }
  // The position of the game, at this state.
  Position& position() const;
  // The state after a legal move of every role.
  std::unique_ptr<State> after(std::span<const machine::Move> joint) const;
  // By role, what it sees when these moves are made (GDL-II).
  std::vector<std::vector<std::string>> percepts(std::span<const machine::Move> joint) const;
  std::vector<std::string> fluent_names() const;

 private:
  std::shared_ptr<Game> game_;
  machine::State fluents_;
};

// A position of its own that moves and takes moves back.
class Walk {
 public:
  explicit Walk(const State& start) : game_(start.game()), position_(game_->move_facts()) {
    position_.go_to(start.fluents());
  }

  const std::shared_ptr<Game>& game() const { return game_; }
  Position& position() { return position_; }

 private:
  std::shared_ptr<Game> game_;
  Position position_;
};

}  // namespace zermelo::python
