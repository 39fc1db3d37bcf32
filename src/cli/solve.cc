// solve GAME: the value of every reachable state.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ground/ground.h"
#include "solve/explicit.h"

namespace zermelo::cli {
namespace {

using solve::ExplicitSolution;
using solve::OpponentModel;
using solve::Rewards;

constexpr const char* engine_used = "explicit";
constexpr const char* algorithm_used = "retrograde";
constexpr const char* endless = "play never ends";

struct Options {
  std::string path;
  OpponentModel model = OpponentModel::own;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

// What the command took.
struct Cost {
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
};

std::uint64_t peak_resident_bytes() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

using Lines = std::vector<std::pair<std::string, std::string>>;
using Row = std::vector<std::string>;

// "x 50, o 50".
std::string with_roles(const std::vector<std::string>& roles, const Rewards& rewards) {
  std::string text;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    text += fmt::format("{}{} {}", role == 0 ? "" : ", ", roles[role], rewards[role]);
  }
  return text;
}

// Who wins, where several roles share a hundred points.
std::string verdict(const std::vector<std::string>& roles, const Rewards& rewards) {
  if (roles.size() < 2 || std::accumulate(rewards.begin(), rewards.end(), 0) != 100) return "";
  const auto best = std::max_element(rewards.begin(), rewards.end());
  if (std::count(rewards.begin(), rewards.end(), *best) == 1) {
    return roles[static_cast<std::size_t>(best - rewards.begin())] + " wins: ";
  }
  return "a draw: ";
}

std::string best_play(const ExplicitSolution& solution) {
  const Rewards& rewards = solution.value();
  if (rewards.empty()) return "no player lets the game end";
  const std::vector<std::string>& roles = solution.machine().roles();
  return verdict(roles, rewards) + with_roles(roles, rewards);
}

std::string summary(const ExplicitSolution& solution) {
  Lines lines = {
      {"best play", best_play(solution)},
      {"states",
       fmt::format("{}, {} of them terminal, at most {} from the start", grouped(solution.states()),
                   grouped(solution.terminal_states()), counted(solution.layers() - 1, "move"))},
      {"repetition", solution.cyclic() ? "a state can occur again" : "no state occurs twice"},
      {"model", name_of(solution.model())},
      {"solved by", fmt::format("{}, {}", engine_used, algorithm_used)}};
  return name_value_lines(lines);
}

// The rewards by role, dashes where play never ends.
Row cells(const ExplicitSolution& solution, const Rewards& rewards) {
  Row row(solution.machine().roles().size(), "-");
  for (std::size_t role = 0; role < rewards.size(); ++role) {
    row[role] = std::to_string(rewards[role]);
  }
  return row;
}

std::string value_table(const ExplicitSolution& solution) {
  Row titles = solution.machine().roles();
  titles.push_back("states");
  std::vector<Row> rows;
  for (const solve::ValueCount& count : solution.by_value()) {
    rows.push_back(cells(solution, count.rewards));
    rows.back().push_back(grouped(count.states));
  }
  return columns(titles, rows);
}

std::string move_table(const ExplicitSolution& solution) {
  const std::vector<solve::MoveValue> moves = solution.moves(solution.initial());
  if (moves.empty()) return "";
  const std::vector<std::string>& roles = solution.machine().roles();
  Row titles = roles;
  titles.insert(titles.begin(), {"", "first move of " + roles[moves.front().role]});
  std::vector<Row> rows;
  for (const solve::MoveValue& move : moves) {
    rows.push_back(cells(solution, move.rewards));
    rows.back().insert(rows.back().begin(),
                       {move.best ? "best" : "", solution.machine().move_name(move.move)});
  }
  return "\n" + columns(titles, rows);
}

std::string as_text(const ExplicitSolution& solution) {
  const auto by_value = solution.by_value();
  const bool has_endless = std::any_of(by_value.begin(), by_value.end(),
                                       [](const auto& count) { return count.rewards.empty(); });
  return summary(solution) + "\n" + value_table(solution) +
         (has_endless ? fmt::format("-: {}\n", endless) : "") + move_table(solution);
}

nlohmann::ordered_json as_json(const Rewards& rewards) {
  if (rewards.empty()) return nullptr;
  return rewards;
}

nlohmann::ordered_json as_json(const ExplicitSolution& solution, const Cost& cost) {
  nlohmann::ordered_json by_value = nlohmann::ordered_json::array();
  for (const solve::ValueCount& count : solution.by_value()) {
    by_value.push_back(
        {{"values", as_json(count.rewards)}, {"states", std::to_string(count.states)}});
  }
  return {{"roles", solution.machine().roles()},
          {"values", as_json(solution.value())},
          {"states", std::to_string(solution.states())},
          {"by_value", by_value},
          {"engine", engine_used},
          {"algorithm", algorithm_used},
          {"model", name_of(solution.model())},
          {"seconds", cost.seconds},
          {"peak_bytes", cost.peak_bytes},
          {"folder", nullptr}};
}

base::Result<ExplicitSolution> find_solution(const Options& options) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const base::Limits limits = options.limits.start();
  const ProgressLine progress(options.progress, "solving");
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto solution = solve::solve_explicit(std::make_shared<const machine::Machine>(std::move(*game)),
                                        {options.model, limits});
  if (solution) return solution;
  return base::fail(solution.error().kind,
                    fmt::format("{}: {}", (*rules)->source->name(), solution.error().message));
}

base::Result<ExitCode> solve_game(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto solution = find_solution(options);
  if (!solution) return tl::unexpected(solution.error());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    write_json(as_json(*solution, {elapsed.count(), peak_resident_bytes()}));
  } else {
    write_answer(as_text(*solution));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_choice_option(
      app, "--model", {"own", "difference"},
      [options](std::size_t choice) { options->model = static_cast<OpponentModel>(choice); },
      "What players want: the most (default), or the most above the others");
  add_choice_option(
      app, "--engine", {"auto", "explicit"}, [](std::size_t) {},
      "explicit keeps every state in memory; so does auto");
  add_choice_option(
      app, "--algorithm", {"auto", "retrograde"}, [](std::size_t) {},
      "retrograde goes back from the terminal states; so does auto");
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return solve_game(*options); };
}

}  // namespace

const Command solve_command = {"solve", "Find the value of every reachable state",
                               "zermelo solve games/tic_tac_toe.kif", declare};

}  // namespace zermelo::cli
