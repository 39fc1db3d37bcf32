#include "serve/position.h"

namespace zermelo::serve {

Position::Position(std::shared_ptr<const search::Engine> engine)
    : engine_(std::move(engine)), walker_(engine_->walker()) {
  walker_->go_to(engine_->initial());
}

Position::Position(const Position& other) : engine_(other.engine_), walker_(engine_->walker()) {
  walker_->go_to(other.walker_->state());
}

bool Position::everybody_can_move() {
  for (std::size_t role = 0; role < engine_->roles().size(); ++role) {
    if (walker_->legal(role).empty()) return false;
  }
  return true;
}

bool Position::make(std::span<const std::string> names) {
  if (names.size() != engine_->roles().size() || walker_->terminal()) return false;
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
