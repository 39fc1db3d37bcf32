#include "app/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/quantities.h"
#include "solve/folder/stored_solution.h"

namespace zermelo::app {
namespace {

using base::counted;
using solve::StoredMove;
using solve::StoredPosition;
using solve::StoredSolution;

struct Position {
  machine::State state;
  std::size_t layer = 0;  // the one to search first
};

// The terms of a text, with one blank between words: "(mark 1 1)", "noop".
std::vector<std::string> terms(const std::string& text) {
  std::vector<std::string> found;
  int depth = 0;
  bool gap = true;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\n' || c == ',' || c == ';') {
      gap = true;
      continue;
    }
    if (depth == 0 && (gap || c == '(')) {
      found.emplace_back();
    } else if (gap && c != ')' && found.back().back() != '(') {
      found.back() += ' ';
    }
    gap = false;
    if (depth > 0 && c == '(' && found.back().back() != '(' && found.back().back() != ' ') {
      found.back() += ' ';
    }
    found.back() += c;
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth <= 0 && c == ')') gap = true;
  }
  return found;
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
                                                 counted(position.layer, "move"),
                                                 shortened_list(std::move(legal_names)))));
}

base::Result<Position> after_moves(const StoredSolution& solution, const std::string& moves,
                                   const base::Limits& limits) {
  machine::Stepper stepper(solution.machine());
  Position position{stepper.initial_state(), 0};
  for (const std::string& name : terms(moves)) {
    if (const auto exceeded = limits.exceeded()) {
      return base::fail(*exceeded, "the limit was reached before " + name);
    }
    const auto joint = joint_move(stepper, position, name);
    if (!joint) return tl::unexpected(joint.error());
    position.state = stepper.next_state(position.state, *joint);
    ++position.layer;
  }
  return position;
}

base::Result<Position> described(const StoredSolution& solution, const std::string& text) {
  const ground::Game& game = solution.machine()->game();
  Position position{machine::State(game.fluents.size()), 0};
  for (const std::string& name : terms(text)) {
    ground::Atom fluent = 0;
    while (fluent < game.fluents.size() && game.fluent_name(fluent) != name) ++fluent;
    if (fluent == game.fluents.size()) {
      return tl::unexpected(not_possible("unknown fluent " + name));
    }
    position.state.set(fluent);
  }
  return position;
}

std::vector<std::string> fluent_names(const StoredSolution& solution, const Position& position) {
  return machine::Stepper(solution.machine()).fluent_names(position.state);
}

QueryResult result_of(const StoredSolution& solution, const Position& position,
                      const StoredPosition& stored) {
  QueryResult result;
  result.roles = solution.description().roles;
  result.position = fluent_names(solution, position);
  result.terminal = !stored.value.decides;
  if (stored.turn) result.turn = result.roles[*stored.turn];
  result.rewards = stored.value.rewards;
  result.distance = stored.value.distance;
  result.has_distances = solution.description().distances;
  for (const StoredMove& move : stored.moves) {
    result.moves.push_back({result.roles[move.role], solution.machine()->move_name(move.move),
                            move.after.rewards, move.after.distance, move.best});
  }
  return result;
}

}  // namespace

std::string contradiction(const QueryRequest& request) {
  return request.moves && request.state ? "use either --moves or --state" : "";
}

base::Result<QueryResult> query(const QueryRequest& request, const Context& context) {
  if (const std::string problem = contradiction(request); !problem.empty()) {
    return base::fail(base::ErrorKind::not_applicable, problem);
  }
  const base::Limits limits = request.limits.start(context);
  auto solution = StoredSolution::open(request.folder, limits);
  if (!solution) return tl::unexpected(solution.error());
  const auto position = request.state ? described(*solution, *request.state)
                                      : after_moves(*solution, request.moves.value_or(""), limits);
  if (!position) return tl::unexpected(position.error());
  const auto stored = solution->position(position->state, position->layer);
  if (!stored) return tl::unexpected(stored.error());
  return result_of(*solution, *position, *stored);
}

}  // namespace zermelo::app
