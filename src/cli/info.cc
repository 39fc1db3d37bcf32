// info GAME: what the game is.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ground/ground.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string path;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

struct Facts {
  ground::Game game;
  double ground_seconds;
};

std::vector<std::string> role_names(const ground::Game& game) {
  std::vector<std::string> names;
  for (std::uint32_t role = 0; role < game.roles.size(); ++role)
    names.push_back(game.role_name(role));
  return names;
}

std::uint32_t moves_of(const ground::Game& game, std::size_t role) {
  return game.first_move_of[role + 1] - game.first_move_of[role];
}

std::vector<int> goal_values(const ground::Game& game, std::size_t role) {
  std::vector<int> values;
  for (const auto& goal : game.goals[role]) values.push_back(goal.value);
  return values;
}

Json traits_as_json(const ground::Game& game) {
  Json goals = Json::object();
  const auto roles = role_names(game);
  for (std::size_t role = 0; role < roles.size(); ++role)
    goals[roles[role]] = goal_values(game, role);
  return {{"players", roles.size()},
          {"goal_values", goals},
          {"can_end", game.terminal != ground::no_atom},
          {"recursive_rules", !game.recursive.empty()}};
}

Json as_json(const Facts& facts) {
  const ground::Game& game = facts.game;
  const auto roles = role_names(game);
  Json moves = Json::object();
  for (std::size_t role = 0; role < roles.size(); ++role) moves[roles[role]] = moves_of(game, role);
  return {{"roles", roles},
          {"fluents", game.fluents.size()},
          {"moves", moves},
          {"ground_rules", game.rules()},
          {"ground_seconds", facts.ground_seconds},
          {"traits", traits_as_json(game)}};
}

// "white 155, black 155"
template <class Value>
std::string per_role(const ground::Game& game, Value value) {
  std::vector<std::string> parts;
  const auto roles = role_names(game);
  for (std::size_t role = 0; role < roles.size(); ++role) {
    parts.push_back(fmt::format("{} {}", roles[role], value(role)));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string as_text(const Facts& facts) {
  const ground::Game& game = facts.game;
  const auto moves = [&](std::size_t role) { return grouped(moves_of(game, role)); };
  const auto goals = [&](std::size_t role) {
    return fmt::format("{}", fmt::join(goal_values(game, role), "/"));
  };
  return name_value_lines({
      {"roles", fmt::format("{}", fmt::join(role_names(game), ", "))},
      {"fluents", grouped(game.fluents.size())},
      {"moves", per_role(game, moves)},
      {"goal values", per_role(game, goals)},
      {"ground rules", fmt::format("{}{}", grouped(game.rules()),
                                   game.recursive.empty() ? "" : ", some recursive")},
      {"grounded in", fmt::format("{:.3f} s", facts.ground_seconds)},
  });
}

base::Result<Facts> find_facts(const Options& options) {
  const auto limits = options.limits.start();
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const ProgressLine progress(options.progress, "grounding");
  const auto begin = std::chrono::steady_clock::now();
  auto game = ground::ground(*rules, {limits});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (!game) return tl::unexpected(game.error());
  return Facts{std::move(*game), elapsed.count()};
}

base::Result<ExitCode> info(const Options& options) {
  const auto facts = find_facts(options);
  if (!facts) return tl::unexpected(facts.error());
  if (options.json) {
    write_json(as_json(*facts));
  } else {
    write_answer(as_text(*facts));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return info(*options); };
}

}  // namespace

const Command info_command = {"info", "Tell what the game is", "zermelo info games/tic_tac_toe.kif",
                              declare};

}  // namespace zermelo::cli
