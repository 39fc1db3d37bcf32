// A position that moves, with its legal moves: what State and Cursor of Python ask.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/machine.h"

namespace zermelo::python {

// What is the same for all positions of a game.
struct MoveFacts {
  std::shared_ptr<const machine::Machine> machine;
  std::vector<std::uint32_t> ranks;  // by move, its position among those of its role
  std::vector<bool> acting;          // by move, whether the next state depends on it
};

class Position {
 public:
  // `facts` must outlive this. Starts in the initial state.
  explicit Position(const MoveFacts& facts);

  void go_to(const machine::State& state);
  machine::State state() const { return cursor_.state(); }
  bool terminal() const { return cursor_.terminal(); }
  // The legal moves of a role; none in a terminal state. Valid until the position changes.
  std::span<const machine::Move> legal(std::size_t role);
  // The role that alone has a choice, or if none has, the first that has a move with an effect;
  // nullopt where several have a choice, and in terminal states.
  std::optional<std::size_t> turn();
  // The rewards by role. The position must be terminal.
  std::vector<int> rewards() const;

  // The joint move in which the role to move makes its move of this rank. Valid until the next
  // call. Throws Failure if it is not legal, and where no role is to move alone.
  std::span<const machine::Move> joint_of_turn(std::size_t rank);
  // Throws Failure if some move is not legal.
  void check(std::span<const machine::Move> joint);
  // Makes legal moves, one of every role.
  void make(std::span<const machine::Move> joint);
  // The number of moves that can be taken back.
  std::size_t depth() const { return cursor_.depth(); }
  void unmake();
  // Takes the memory of moves that can be taken back.
  void forget_history();

 private:
  std::size_t roles() const { return legal_.size(); }
  void list();
  void find_turn();
  bool is_legal(std::size_t role, machine::Move move) const;

  const MoveFacts& facts_;
  machine::Cursor cursor_;
  bool is_listed_ = false;
  std::vector<std::span<const machine::Move>> legal_;  // by role, if listed
  std::optional<std::size_t> turn_;                    // if listed
  std::vector<machine::Move> joint_;
};

}  // namespace zermelo::python
