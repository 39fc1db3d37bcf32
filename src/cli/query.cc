// query FOLDER: a position's value and that of every legal move.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/rewards_output.h"
#include "solve/folder/stored_solution.h"

namespace zermelo::cli {
namespace {

using solve::StoredMove;
using solve::StoredPosition;
using solve::StoredSolution;

struct Options {
  std::string folder;
  std::optional<std::string> moves;
  std::optional<std::string> state;
  bool json = false;
};

struct Place {
  machine::State state;
  std::size_t layer = 0;  // where it is likely to be found
};

// The terms of a text, one blank between words: "(mark 1 1)", "noop".
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

// The first of them, sorted.
std::string shortened_list(std::vector<std::string> names) {
  constexpr std::size_t most = 20;
  std::sort(names.begin(), names.end());
  const std::size_t left = names.size() - std::min(names.size(), most);
  names.resize(names.size() - left);
  const std::string rest = left == 0 ? "" : fmt::format(" and {} more", left);
  return fmt::format("{}{}", fmt::join(names, ", "), rest);
}

base::Error not_possible(std::string message) {
  return {base::ErrorKind::not_applicable, std::move(message)};
}

// Whether the role's choice makes a difference, the others making the moves of `joint`.
bool decides(machine::Stepper& stepper, const machine::State& state,
             std::vector<machine::Move> joint, std::size_t role) {
  const machine::State next = stepper.next_state(state, joint);
  const std::vector<machine::Move> legal = stepper.legal_moves(state, role);
  return std::any_of(legal.begin(), legal.end(), [&](machine::Move move) {
    joint[role] = move;
    return stepper.next_state(state, joint) != next;
  });
}

// The joint move in which the role that decides makes the named move, or any where none does, and
// the others their first. Nothing is read of the solution.
base::Result<std::vector<machine::Move>> joint_move(machine::Stepper& stepper, const Place& place,
                                                    const std::string& name) {
  if (stepper.terminal(place.state)) {
    return tl::unexpected(not_possible("the game is over before " + name));
  }
  std::vector<machine::Move> joint;
  for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
    const std::vector<machine::Move> legal = stepper.legal_moves(place.state, role);
    if (legal.empty()) return tl::unexpected(not_possible("a role has no legal move"));
    joint.push_back(legal.front());
  }
  std::vector<std::size_t> roles(joint.size());
  std::iota(roles.begin(), roles.end(), 0);
  const auto others = std::stable_partition(roles.begin(), roles.end(), [&](std::size_t role) {
    return decides(stepper, place.state, joint, role);
  });
  if (others != roles.begin()) roles.erase(others, roles.end());
  std::vector<std::string> legal_names;
  for (const std::size_t role : roles) {
    for (const machine::Move move : stepper.legal_moves(place.state, role)) {
      legal_names.push_back(stepper.move_name(move));
      if (legal_names.back() != name) continue;
      joint[role] = move;
      return joint;
    }
  }
  return tl::unexpected(not_possible(fmt::format("{} is not legal after {}; legal is {}", name,
                                                 counted(place.layer, "move"),
                                                 shortened_list(std::move(legal_names)))));
}

base::Result<Place> after_moves(const StoredSolution& solution, const std::string& moves) {
  machine::Stepper stepper(solution.machine());
  Place place{stepper.initial_state(), 0};
  for (const std::string& name : terms(moves)) {
    const auto joint = joint_move(stepper, place, name);
    if (!joint) return tl::unexpected(joint.error());
    place.state = stepper.next_state(place.state, *joint);
    ++place.layer;
  }
  return place;
}

base::Result<Place> described(const StoredSolution& solution, const std::string& text) {
  const ground::Game& game = solution.machine()->game();
  Place place{machine::State(game.fluents.size()), 0};
  for (const std::string& name : terms(text)) {
    ground::Atom fluent = 0;
    while (fluent < game.fluents.size() && game.fluent_name(fluent) != name) ++fluent;
    if (fluent == game.fluents.size()) {
      return tl::unexpected(not_possible(name + " does not hold in any state of the game"));
    }
    place.state.set(fluent);
  }
  return place;
}

std::vector<std::string> fluent_names(const StoredSolution& solution, const Place& place) {
  return machine::Stepper(solution.machine()).fluent_names(place.state);
}

nlohmann::ordered_json as_json(const StoredSolution& solution, const Place& place,
                               const StoredPosition& position) {
  const std::vector<std::string>& roles = solution.description().roles;
  nlohmann::ordered_json moves = nlohmann::ordered_json::array();
  for (const StoredMove& move : position.moves) {
    moves.push_back({{"role", roles[move.role]},
                     {"move", solution.machine()->move_name(move.move)},
                     {"values", rewards_json(move.after.rewards)},
                     {"distance", distance_json(move.after.distance)},
                     {"best", move.best}});
  }
  return {{"roles", roles},
          {"position", fluent_names(solution, place)},
          {"terminal", !position.value.decides},
          {"turn", position.turn ? nlohmann::ordered_json(roles[*position.turn]) : nullptr},
          {"values", rewards_json(position.value.rewards)},
          {"distance", distance_json(position.value.distance)},
          {"moves", moves}};
}

std::string as_text(const StoredSolution& solution, const Place& place,
                    const StoredPosition& position) {
  const std::vector<std::string>& roles = solution.description().roles;
  std::vector<std::pair<std::string, std::string>> lines = {
      {"position", fmt::format("{}", fmt::join(fluent_names(solution, place), " "))},
      {"best play", position.value.decides ? verdict(roles, position.value.rewards)
                                           : "over: " + verdict(roles, position.value.rewards)}};
  if (position.value.distance) {
    lines.emplace_back("to the end", counted(*position.value.distance, "move"));
  }
  std::string text = name_value_lines(lines);
  if (position.moves.empty()) return text;
  std::vector<std::string> titles = roles;
  titles.insert(titles.begin(), {"", "move of " + roles[*position.turn]});
  if (solution.description().distances) titles.push_back("moves to the end");
  std::vector<std::vector<std::string>> rows;
  for (const StoredMove& move : position.moves) {
    rows.push_back(cells(roles, move.after.rewards));
    rows.back().insert(rows.back().begin(),
                       {move.best ? "best" : "", solution.machine()->move_name(move.move)});
    if (solution.description().distances) rows.back().push_back(cell(move.after.distance));
  }
  return text + "\n" + columns(titles, rows);
}

base::Result<ExitCode> query(const Options& options) {
  if (options.moves && options.state) {
    write_message("zermelo: --moves and --state both say which position\n");
    return ExitCode::usage;
  }
  auto solution = StoredSolution::open(options.folder);
  if (!solution) return tl::unexpected(solution.error());
  const auto place = options.state ? described(*solution, *options.state)
                                   : after_moves(*solution, options.moves.value_or(""));
  if (!place) return tl::unexpected(place.error());
  const auto position = solution->position(place->state, place->layer);
  if (!position) return tl::unexpected(position.error());
  if (options.json) {
    write_json(as_json(*solution, *place, *position));
  } else {
    write_answer(as_text(*solution, *place, *position));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_argument(app, "FOLDER", options->folder, Presence::required, "A solution that solve stored");
  add_text_option(app, "--moves", "MOVES", options->moves,
                  "The position after these moves, one a step, of who decides");
  add_text_option(app, "--state", "FLUENTS", options->state,
                  "The position in which exactly these fluents hold");
  add_json_option(app, options->json);
  return [options] { return query(*options); };
}

}  // namespace

const Command query_command = {"query", "Show a stored position's value and that of every move",
                               "zermelo query tic_tac_toe --moves \"(mark 2 2) (mark 1 2)\"",
                               declare};

}  // namespace zermelo::cli
