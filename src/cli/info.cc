// info GAME: what the game is.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/dynamic_conditions.h"
#include "analysis/state_bound.h"
#include "cli/command.h"
#include "cli/conditions_report.h"
#include "cli/engine.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/optimiser_report.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/symbolic_report.h"
#include "ground/ground.h"
#include "machine/machine.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Options {
  std::string path;
  LimitOptions limits;
  std::uint64_t seed = 1;
  ProgressMode progress = ProgressMode::automatic;
  bool no_conditions = false;
  bool states = false;
  bool symbolic = false;
  bool json = false;
};

struct Facts {
  std::shared_ptr<const ground::Game> game;
  Seconds ground_time{0};
  std::optional<analysis::DynamicConditions> conditions;
  std::optional<analysis::StateBound> state_bound;  // where the states are not known
  std::optional<analysis::MutexGroups> mutex_groups;
  std::optional<OptimiserFacts> optimiser;
  std::optional<SymbolicFacts> symbolic;
};

std::uint32_t moves_of(const ground::Game& game, std::size_t role) {
  return game.first_move_of[role + 1] - game.first_move_of[role];
}

std::vector<int> goal_values(const ground::Game& game, std::size_t role) {
  std::vector<int> values;
  for (const auto& goal : game.goals[role]) values.push_back(goal.value);
  return values;
}

// {role: value(role), ...}
template <class Value>
Json by_role(const ground::Game& game, Value value) {
  Json result = Json::object();
  const auto roles = role_names(game);
  for (std::size_t role = 0; role < roles.size(); ++role) result[roles[role]] = value(role);
  return result;
}

Json traits_as_json(const Facts& facts) {
  const ground::Game& game = *facts.game;
  Json traits = {{"players", game.roles.size()},
                 {"goal_values", by_role(game, [&](auto role) { return goal_values(game, role); })},
                 {"can_end", game.terminal != ground::no_atom},
                 {"recursive_rules", !game.recursive.empty()}};
  if (facts.conditions) add_traits(*facts.conditions, traits);
  if (facts.state_bound) traits["states_at_least"] = facts.state_bound->states;
  return traits;
}

Json as_json(const Facts& facts) {
  const ground::Game& game = *facts.game;
  Json json = {{"roles", role_names(game)},
               {"fluents", game.fluents.size()},
               {"moves", by_role(game, [&](auto role) { return moves_of(game, role); })},
               {"ground_rules", game.rules()},
               {"ground_atoms", game.atoms},
               {"ground_seconds", facts.ground_time.count()},
               {"traits", traits_as_json(facts)}};
  if (facts.conditions) json["conditions"] = conditions_as_json(*facts.conditions);
  if (facts.mutex_groups) add_mutex_groups(*facts.mutex_groups, game, json);
  if (facts.optimiser) json["optimiser"] = as_json(*facts.optimiser);
  if (facts.symbolic) json["symbolic"] = as_json(*facts.symbolic);
  return json;
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

std::string as_text(const analysis::StateBound& bound) {
  return fmt::format("at least {:.1e}, as {} are unlikely to tell as many apart otherwise",
                     bound.states, counted(bound.games, "random game"));
}

std::string as_text(const Facts& facts) {
  const ground::Game& game = *facts.game;
  const auto moves = [&](std::size_t role) { return grouped(moves_of(game, role)); };
  const auto goals = [&](std::size_t role) {
    const std::vector<int> values = goal_values(game, role);
    return values.empty() ? "none" : fmt::format("{}", fmt::join(values, "/"));
  };
  std::vector<std::pair<std::string, std::string>> lines = {
      {"roles", fmt::format("{}", fmt::join(role_names(game), ", "))},
      {"fluents", grouped(game.fluents.size())},
      {"moves", per_role(game, moves)},
      {"goal values", per_role(game, goals)},
      {"ground rules", grouped(game.rules()) + (game.recursive.empty() ? "" : ", some recursive")},
      {"grounded in", fmt::format("{:.3f} s", facts.ground_time.count())},
  };
  const auto add = [&](Lines more) { lines.insert(lines.end(), more.begin(), more.end()); };
  if (facts.state_bound && facts.state_bound->games > 0)
    add({{"states", as_text(*facts.state_bound)}});
  if (facts.conditions) add(condition_lines(*facts.conditions));
  if (facts.mutex_groups) add(mutex_lines(*facts.mutex_groups, game));
  if (facts.optimiser) add(optimiser_lines(*facts.optimiser));
  if (facts.symbolic) add(symbolic_lines(*facts.symbolic));
  return name_value_lines(lines);
}

base::Result<Facts> ground_game(const Options& options, const base::Limits& limits) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const ProgressLine progress(options.progress, "grounding");
  const auto begin = Clock::now();
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  Facts facts;
  facts.ground_time = Clock::now() - begin;
  facts.game = std::make_shared<const ground::Game>(std::move(*game));
  return facts;
}

// The parts of the analysis share what --time leaves of their usual time.
Seconds share_of_time(const Options& options, Seconds usual, Seconds elapsed) {
  if (!options.limits.time) return usual;
  const int parts = options.no_conditions ? 1 : 5;
  return std::min(usual, std::max(*options.limits.time - elapsed, Seconds(0)) / parts);
}

void bound_states(Facts& facts, const Options& options,
                  std::shared_ptr<const machine::Machine> machine, Seconds elapsed) {
  analysis::StateBoundOptions bound;
  bound.seed = options.seed;
  if (options.states) {
    bound.seconds *= 10;
    bound.max_games *= 10;
  }
  bound.seconds = share_of_time(options, bound.seconds, elapsed);
  facts.state_bound = analysis::bound_states(std::move(machine), bound);
}

void analyse(Facts& facts, const Options& options,
             const std::shared_ptr<const machine::Machine>& machine, const base::Limits& limits,
             Seconds elapsed) {
  const ProgressLine progress(options.progress, "analysing");
  analysis::ConditionOptions conditions;
  conditions.seed = options.seed;
  conditions.seconds = share_of_time(options, conditions.seconds, elapsed);
  facts.conditions = analysis::check_dynamic_conditions(machine, conditions);
  if (!facts.conditions->states) bound_states(facts, options, machine, elapsed);
  analysis::MutexOptions mutex;
  mutex.seed = options.seed;
  mutex.seconds = share_of_time(options, mutex.seconds, elapsed);
  mutex.limits = limits;
  facts.mutex_groups = analysis::find_mutex_groups(machine, mutex);
  facts.optimiser = optimiser_facts(machine->compiled(), limits);
}

// All that needs a machine.
base::Result<void> add_facts(Facts& facts, const Options& options, const base::Limits& limits,
                             Clock::time_point begin) {
  const auto machine =
      machine::Machine::make(std::make_shared<const circuit::CompiledGame>(facts.game), limits);
  if (!machine) return tl::unexpected(machine.error());
  const Seconds elapsed = Clock::now() - begin;
  if (!options.no_conditions) {
    analyse(facts, options, *machine, limits, elapsed);
  } else if (options.states) {
    bound_states(facts, options, *machine, elapsed);
  }
  if (!options.symbolic) return {};
  SymbolicRequest request{limits, facts.mutex_groups};
  if (options.limits.time) {
    request.group_seconds = std::min(request.group_seconds, *options.limits.time / 4);
  }
  auto symbolic = symbolic_facts(*machine, request);
  if (!symbolic) return tl::unexpected(symbolic.error());
  facts.symbolic = std::move(*symbolic);
  return {};
}

base::Result<ExitCode> info(const Options& options) {
  const auto begin = Clock::now();
  const base::Limits limits = options.limits.start({});
  auto facts = ground_game(options, limits);
  if (!facts) return tl::unexpected(facts.error());
  if (!options.no_conditions || options.states || options.symbolic) {
    auto added = add_facts(*facts, options, limits, begin);
    if (!added) return tl::unexpected(added.error());
  }
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
  add_flag(app, "--no-conditions", options->no_conditions, "Only ground the game, play nothing");
  add_flag(app, "--states", options->states, "Take more time to bound the number of states");
  add_flag(app, "--symbolic", options->symbolic, "The game as decision diagrams as well");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return info(*options); };
}

}  // namespace

const Command info_command = {"info", "Tell what the game is", "zermelo info games/tic_tac_toe.kif",
                              declare};

}  // namespace zermelo::cli
