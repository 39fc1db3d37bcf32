#include "serve/position.h"

namespace zermelo::serve {

Position::Position(std::shared_ptr<const search::Simulator> simulator)
    : simulator_(std::move(simulator)), walker_(simulator_->walker()) {
  walker_->go_to(simulator_->initial());
}

Position::Position(const Position& other)
    : simulator_(other.simulator_), walker_(simulator_->walker()) {
  walker_->go_to(other.walker_->state());
}

bool Position::everybody_can_move() {
  for (std::size_t role = 0; role < simulator_->roles().size(); ++role) {
    if (walker_->legal(role).empty()) return false;
  }
  return true;
}

bool Position::make(std::span<const std::string> names) {
  if (names.size() != simulator_->roles().size() || walker_->terminal()) return false;
  std::vector<Move> joint;
  for (std::size_t role = 0; role < names.size(); ++role) {
    const auto move = find(role, names[role]);
    if (!move) return false;
    joint.push_back(*move);
  }
  walker_->make(joint);
  return true;
}

}  // namespace zermelo::serve
