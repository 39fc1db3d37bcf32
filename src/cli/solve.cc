// solve GAME: the value of every reachable state.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rewards_output.h"
#include "ground/ground.h"
#include "solve/explicit.h"
#include "solve/explicit_folder.h"
#include "solve/summary.h"

namespace zermelo::cli {
namespace {

using solve::OpponentModel;
using solve::Summary;

// Beyond so many states distances are stored on request only.
constexpr std::uint64_t distances_up_to = 10'000'000;

struct Options {
  std::string path;
  std::string folder;  // empty: none
  OpponentModel model = OpponentModel::own;
  bool distance = false;
  bool no_distance = false;
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

// "1234567" as "1,234,567".
std::string grouped_digits(std::string digits) {
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string best_play(const Summary& summary) {
  const std::string ending =
      summary.distance ? fmt::format(", after {}", counted(*summary.distance, "move")) : "";
  return verdict(summary.roles, summary.value) + ending;
}

std::string overview(const Summary& summary, const std::string& folder) {
  Lines lines = {
      {"best play", best_play(summary)},
      {"states",
       fmt::format("{}, {} of them terminal, at most {} from the start",
                   grouped_digits(summary.states), grouped_digits(summary.terminal_states),
                   counted(summary.layers - 1, "move"))},
      {"repetition", summary.cyclic ? "a state can occur again" : "no state occurs twice"},
      {"model", name_of(summary.model)},
      {"solved by", fmt::format("{}, {}", summary.engine, summary.algorithm)}};
  if (!folder.empty()) lines.emplace_back("folder", folder);
  return name_value_lines(lines);
}

std::string value_table(const Summary& summary) {
  Row titles = summary.roles;
  titles.push_back("states");
  std::vector<Row> rows;
  bool has_endless = false;
  for (const Summary::Count& count : summary.by_value) {
    rows.push_back(cells(summary.roles, count.rewards));
    rows.back().push_back(grouped_digits(count.states));
    has_endless = has_endless || count.rewards.empty();
  }
  return columns(titles, rows) + (has_endless ? "-: play never ends\n" : "");
}

std::string move_table(const Summary& summary) {
  if (summary.first_moves.empty()) return "";
  const bool distances = std::any_of(summary.first_moves.begin(), summary.first_moves.end(),
                                     [](const auto& move) { return move.distance.has_value(); });
  Row titles = summary.roles;
  titles.insert(titles.begin(),
                {"", "first move of " + summary.roles[summary.first_moves.front().role]});
  if (distances) titles.push_back("moves to the end");
  std::vector<Row> rows;
  for (const Summary::FirstMove& move : summary.first_moves) {
    rows.push_back(cells(summary.roles, move.rewards));
    rows.back().insert(rows.back().begin(), {move.best ? "best" : "", move.name});
    if (distances) rows.back().push_back(cell(move.distance));
  }
  return "\n" + columns(titles, rows);
}

nlohmann::ordered_json as_json(const Summary& summary, const Cost& cost,
                               const std::string& folder) {
  nlohmann::ordered_json by_value = nlohmann::ordered_json::array();
  for (const Summary::Count& count : summary.by_value) {
    by_value.push_back({{"values", rewards_json(count.rewards)}, {"states", count.states}});
  }
  nlohmann::ordered_json first_moves = nlohmann::ordered_json::array();
  for (const Summary::FirstMove& move : summary.first_moves) {
    first_moves.push_back({{"role", summary.roles[move.role]},
                           {"move", move.name},
                           {"values", rewards_json(move.rewards)},
                           {"distance", distance_json(move.distance)},
                           {"best", move.best}});
  }
  return {{"roles", summary.roles},
          {"values", rewards_json(summary.value)},
          {"distance", distance_json(summary.distance)},
          {"states", summary.states},
          {"by_value", by_value},
          {"first_moves", first_moves},
          {"engine", summary.engine},
          {"algorithm", summary.algorithm},
          {"model", name_of(summary.model)},
          {"seconds", cost.seconds},
          {"peak_bytes", cost.peak_bytes},
          {"folder", folder.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(folder)}};
}

bool wants_distances(const Options& options, std::uint64_t states) {
  return options.distance || (!options.no_distance && states <= distances_up_to);
}

base::Result<Summary> solve_and_store(const Options& options,
                                      std::shared_ptr<const machine::Machine> machine,
                                      const base::Limits& limits) {
  const auto solution = solve::solve_explicit(std::move(machine), {options.model, limits});
  if (!solution) return tl::unexpected(solution.error());
  if (options.folder.empty()) return summarize(*solution);
  const bool distances = wants_distances(options, solution->states());
  const auto stored = store(*solution, solve::SolutionFolder(options.folder), {distances, limits});
  if (!stored) return tl::unexpected(stored.error());
  auto folder = solve::StoredSolution::open(options.folder);
  if (!folder) return tl::unexpected(folder.error());
  return summarize(*folder);
}

// Names the limit that was reached.
base::Error explained(const base::Error& error, const std::string& game) {
  const char* limit = error.kind == base::ErrorKind::memory_limit ? "memory limit reached, "
                      : error.kind == base::ErrorKind::time_limit ? "time limit reached, "
                                                                  : "";
  return {error.kind, fmt::format("{}: {}{}", game, limit, error.message)};
}

base::Result<Summary> find_solution(const Options& options) {
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const base::Limits limits = options.limits.start();
  const ProgressLine progress(options.progress, "solving");
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  auto summary =
      solve_and_store(options, std::make_shared<const machine::Machine>(std::move(*game)), limits);
  if (summary) return summary;
  return tl::unexpected(explained(summary.error(), (*rules)->source->name()));
}

base::Result<ExitCode> solve_game(const Options& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto summary = find_solution(options);
  if (!summary) return tl::unexpected(summary.error());
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  if (options.json) {
    write_json(as_json(*summary, {elapsed.count(), peak_resident_bytes()}, options.folder));
  } else {
    write_answer(overview(*summary, options.folder) + "\n" + value_table(*summary) +
                 move_table(*summary));
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_text_option(app, "--out", "FOLDER", options->folder, Presence::optional,
                  "Store the solution there, or go on with one that was interrupted");
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
  add_flag(app, "--distance", options->distance,
           "Store the moves to the end as well (default up to 10 million states)");
  add_flag(app, "--no-distance", options->no_distance, "Store values alone");
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return solve_game(*options); };
}

}  // namespace

const Command solve_command = {"solve", "Find the value of every reachable state",
                               "zermelo solve games/tic_tac_toe.kif --out tic_tac_toe", declare};

}  // namespace zermelo::cli
