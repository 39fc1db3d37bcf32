#include "python/position.h"

#include <algorithm>
#include <string>

#include "base/reward.h"
#include "python/errors.h"

namespace zermelo::python {

Position::Position(const MoveFacts& facts)
    : facts_(facts), cursor_(facts.machine), legal_(facts.machine->roles().size()) {}

void Position::go_to(const machine::State& state) {
  cursor_.reset(state);
  is_listed_ = false;
}

void Position::list() {
  if (is_listed_) return;
  const bool is_over = cursor_.terminal();
  for (std::size_t role = 0; role < roles(); ++role)
    legal_[role] = is_over ? std::span<const machine::Move>() : cursor_.legal(role);
  find_turn();
  is_listed_ = true;
}

void Position::find_turn() {
  turn_.reset();
  std::size_t choices = 0;
  for (std::size_t role = 0; role < roles(); ++role) {
    if (legal_[role].size() < 2) continue;
    ++choices;
    turn_ = role;
  }
  if (choices > 1) turn_.reset();
  if (choices > 0) return;
  const auto acts = [&](machine::Move move) { return facts_.acting[move]; };
  for (std::size_t role = 0; role < roles() && !turn_; ++role)
    if (std::any_of(legal_[role].begin(), legal_[role].end(), acts)) turn_ = role;
}

std::span<const machine::Move> Position::legal(std::size_t role) {
  list();
  return legal_[role];
}

std::optional<std::size_t> Position::turn() {
  list();
  return turn_;
}

std::vector<int> Position::rewards() const {
  std::vector<int> rewards;
  for (std::size_t role = 0; role < roles(); ++role)
    rewards.push_back(base::reward_of(cursor_.goals(role)));
  return rewards;
}

bool Position::is_legal(std::size_t role, machine::Move move) const {
  const auto before = [&](auto a, auto b) { return facts_.ranks[a] < facts_.ranks[b]; };
  return std::binary_search(legal_[role].begin(), legal_[role].end(), move, before);
}

std::span<const machine::Move> Position::joint_of_turn(std::size_t rank) {
  list();
  if (!turn_)
    refuse(terminal() ? "the game is over" : "several roles move at once: give one move for each");
  joint_.clear();
  for (const std::span<const machine::Move> moves : legal_) {
    if (moves.empty()) refuse("a role has no legal move");
    joint_.push_back(moves.front());
  }
  const std::span<const machine::Move> all = facts_.machine->moves(*turn_);
  if (rank >= all.size()) refuse("there is no move " + std::to_string(rank));
  joint_[*turn_] = all[rank];
  if (!is_legal(*turn_, all[rank])) check(joint_);
  return joint_;
}

void Position::check(std::span<const machine::Move> joint) {
  list();
  for (std::size_t role = 0; role < roles(); ++role) {
    if (is_legal(role, joint[role])) continue;
    refuse(facts_.machine->move_name(joint[role]) + " is not a legal move of " +
           facts_.machine->roles()[role]);
  }
}

void Position::make(std::span<const machine::Move> joint) {
  cursor_.make(joint);
  is_listed_ = false;
}

void Position::unmake() {
  cursor_.unmake();
  is_listed_ = false;
}

void Position::forget_history() { go_to(state()); }

}  // namespace zermelo::python
