#include "app/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error_name.h"
#include "base/quantities.h"
#include "gdl/term_text.h"

namespace zermelo::app {
namespace {

using base::counted;

// The terms of a text in canonical layout. Any case, prefix and infix syntax.
base::Result<std::vector<std::string>> terms(const std::string& text) {
  auto found = gdl::canonical_terms(text);
  if (!found) return base::fail(base::ErrorKind::invalid_request, found.error() + ": " + text);
  return std::move(*found);
}

// The first names in alphabetical order, and the number of others.
std::string shortened_list(std::vector<std::string> names) {
  constexpr std::size_t max_names = 20;
  std::sort(names.begin(), names.end());
  const std::size_t left = names.size() - std::min(names.size(), max_names);
  names.resize(names.size() - left);
  const std::string rest = left == 0 ? "" : fmt::format(" and {} more", left);
  return fmt::format("{}{}", fmt::join(names, ", "), rest);
}

base::Error not_possible(std::string message) {
  return {base::ErrorKind::not_applicable, std::move(message)};
}

// Whether the choice of the role changes the next state while the others make their moves of
// `joint`.
bool decides(machine::Stepper& stepper, const machine::State& state,
             std::vector<machine::Move> joint, std::size_t role) {
  const machine::State next = stepper.next_state(state, joint);
  const std::vector<machine::Move> legal = stepper.legal_moves(state, role);
  return std::any_of(legal.begin(), legal.end(), [&](machine::Move move) {
    joint[role] = move;
    return stepper.next_state(state, joint) != next;
  });
}

// The joint move in which the player to move makes the named move and the others their first legal
// one. If no choice matters, any role may make the named move. Does not read the solution.
base::Result<std::vector<machine::Move>> joint_move(machine::Stepper& stepper,
                                                    const Position& position,
                                                    const std::string& name) {
  if (stepper.terminal(position.state)) {
    return tl::unexpected(not_possible("the game is over before " + name));
  }
  std::vector<machine::Move> joint;
  for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
    const std::vector<machine::Move> legal = stepper.legal_moves(position.state, role);
    if (legal.empty()) return tl::unexpected(not_possible("a role has no legal move"));
    joint.push_back(legal.front());
  }
  std::vector<std::size_t> roles(joint.size());
  std::iota(roles.begin(), roles.end(), 0);
  const auto others = std::stable_partition(roles.begin(), roles.end(), [&](std::size_t role) {
    return decides(stepper, position.state, joint, role);
  });
  if (others != roles.begin()) roles.erase(others, roles.end());
  std::vector<std::string> legal_names;
  for (const std::size_t role : roles) {
    for (const machine::Move move : stepper.legal_moves(position.state, role)) {
      legal_names.push_back(stepper.move_name(move));
      if (legal_names.back() != name) continue;
      joint[role] = move;
      return joint;
    }
  }
  return tl::unexpected(not_possible(fmt::format("{} is not legal after {}; legal moves: {}", name,
                                                 counted(position.moves, "move"),
                                                 shortened_list(std::move(legal_names)))));
}

}  // namespace

base::Result<Position> position_after(std::shared_ptr<const machine::Machine> machine,
                                      const std::string& moves, const base::Limits& limits) {
  machine::Stepper stepper(std::move(machine));
  Position position{stepper.initial_state(), 0};
  const auto names = terms(moves);
  if (!names) return tl::unexpected(names.error());
  for (const std::string& name : *names) {
    if (const auto exceeded = limits.exceeded()) {
      return tl::unexpected(base::limit_error(*exceeded, "before " + name));
    }
    const auto joint = joint_move(stepper, position, name);
    if (!joint) return tl::unexpected(joint.error());
    position.state = stepper.next_state(position.state, *joint);
    ++position.moves;
  }
  return position;
}

base::Result<Position> position_of(const machine::Machine& machine, const std::string& fluents) {
  Position position{machine::State(machine.game().fluents.size()), 0};
  const auto names = terms(fluents);
  if (!names) return tl::unexpected(names.error());
  const auto by_name = machine.game().fluents_by_name();
  for (const std::string& name : *names) {
    const auto fluent = by_name.find(name);
    if (fluent == by_name.end()) return tl::unexpected(not_possible("unknown fluent " + name));
    position.state.set(fluent->second);
  }
  return position;
}

}  // namespace zermelo::app
