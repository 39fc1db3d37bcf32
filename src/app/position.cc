#include "app/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/error_name.h"
#include "base/quantities.h"
#include "gdl/term_text.h"
#include "machine/perft.h"

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

using LegalMoves = std::vector<std::vector<machine::Move>>;

// Whether the choice of the role changes the next state, with some moves of the others.
bool decides(machine::Stepper& stepper, const machine::State& state, const LegalMoves& legal,
             std::size_t role) {
  if (legal[role].size() < 2) return false;
  return !machine::for_each_joint_move(legal, [&](std::span<const machine::Move> joint) {
    if (joint[role] == legal[role].front()) return true;
    std::vector<machine::Move> other(joint.begin(), joint.end());
    other[role] = legal[role].front();
    return stepper.next_state(state, joint) == stepper.next_state(state, other);
  });
}

std::vector<std::size_t> deciding_roles(machine::Stepper& stepper, const machine::State& state,
                                        const LegalMoves& legal) {
  std::vector<std::size_t> roles;
  for (std::size_t role = 0; role < legal.size(); ++role) {
    if (decides(stepper, state, legal, role)) roles.push_back(role);
  }
  return roles;
}

// The joint move in which the roles that decide make the named moves, in the order of the roles,
// and the others their first legal one. If no choice matters, any role may make the named move.
// Takes the names from the front. Does not read the solution.
base::Result<std::vector<machine::Move>> joint_move(machine::Stepper& stepper,
                                                    const Position& position,
                                                    std::span<const std::string>& names) {
  if (stepper.terminal(position.state)) {
    return tl::unexpected(not_possible("the game is over before " + names.front()));
  }
  const LegalMoves legal = machine::all_legal_moves(stepper, position.state);
  std::vector<machine::Move> joint;
  for (const auto& moves : legal) {
    if (moves.empty()) return tl::unexpected(not_possible("a role has no legal move"));
    joint.push_back(moves.front());
  }
  const std::vector<std::size_t> deciding = deciding_roles(stepper, position.state, legal);
  std::vector<std::vector<std::size_t>> candidates;  // by name, the roles that may make the move
  for (const std::size_t role : deciding) candidates.push_back({role});
  if (deciding.empty()) {
    candidates.emplace_back(legal.size());
    std::iota(candidates.back().begin(), candidates.back().end(), 0);
  }
  for (const std::vector<std::size_t>& roles : candidates) {
    if (names.empty()) {
      return tl::unexpected(not_possible(fmt::format(
          "{} roles decide at the same time after {}; the move of {} is missing", deciding.size(),
          counted(position.moves, "move"), stepper.roles()[roles.front()])));
    }
    std::vector<std::string> legal_names;
    bool is_made = false;
    for (std::size_t i = 0; i < roles.size() && !is_made; ++i) {
      for (const machine::Move move : legal[roles[i]]) {
        legal_names.push_back(stepper.move_name(move));
        if (legal_names.back() != names.front()) continue;
        joint[roles[i]] = move;
        is_made = true;
        break;
      }
    }
    if (!is_made) {
      return tl::unexpected(not_possible(fmt::format("{} is not legal after {}; legal moves: {}",
                                                     names.front(), counted(position.moves, "move"),
                                                     shortened_list(std::move(legal_names)))));
    }
    names = names.subspan(1);
  }
  return joint;
}

}  // namespace

base::Result<Position> position_after(std::shared_ptr<const machine::Machine> machine,
                                      const std::string& moves, const base::Limits& limits) {
  machine::Stepper stepper(std::move(machine));
  Position position{stepper.initial_state(), 0, {}};
  const auto names = terms(moves);
  if (!names) return tl::unexpected(names.error());
  for (std::span<const std::string> left = *names; !left.empty();) {
    if (const auto exceeded = limits.exceeded()) {
      return tl::unexpected(base::limit_error(*exceeded, "before " + left.front()));
    }
    const auto joint = joint_move(stepper, position, left);
    if (!joint) return tl::unexpected(joint.error());
    position.state = stepper.next_state(position.state, *joint);
    ++position.moves;
    position.joints.push_back(*joint);
  }
  return position;
}

base::Result<Position> position_of(const machine::Machine& machine, const std::string& fluents) {
  Position position{machine::State(machine.game().fluents.size()), 0, {}};
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
