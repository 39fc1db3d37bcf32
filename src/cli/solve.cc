// solve GAME: finds the value of every reachable state.
#include "app/solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "app/json.h"
#include "app/plot.h"
#include "app/write_file.h"
#include "cli/cluster_option.h"
#include "cli/command.h"
#include "cli/equilibrium_output.h"
#include "cli/game_input.h"
#include "cli/hidden_output.h"
#include "cli/interruption.h"
#include "cli/named_option.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/rewards_output.h"

namespace zermelo::cli {
namespace {

using solve::OpponentModel;
using solve::Summary;

struct SolveOptions {
  std::string path;
  std::string plot;     // a file; empty: none
  std::string cluster;  // the mode; empty: this process alone
  bool distance = false;
  bool no_distance = false;
  app::SolveRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

using Lines = std::vector<std::pair<std::string, std::string>>;
using Row = std::vector<std::string>;

std::string best_play(const Summary& summary) {
  const std::string ending =
      summary.distance ? fmt::format(", after {}", counted(*summary.distance, "move")) : "";
  return verdict(summary.roles, summary.value) + ending;
}

void add_counts(const Summary& summary, Lines& lines) {
  if (summary.counts == Summary::Counts::nothing) {
    lines.emplace_back("states", "unknown: a weak solution, of the initial state only");
    return;
  }
  const bool has_classes = summary.counts == Summary::Counts::classes;
  const std::string farthest =
      fmt::format(", at most {} from the initial state", counted(summary.layers - 1, "move"));
  lines.emplace_back(has_classes ? "classes" : "states",
                     fmt::format("{}, {} terminal{}", with_commas(summary.states),
                                 with_commas(summary.terminal_states),
                                 has_classes ? " (of equivalent states)" : farthest));
  if (summary.layer_states != summary.states) {
    lines.emplace_back("in layers",
                       fmt::format("{}, counting a state in every layer in which it occurs",
                                   with_commas(summary.layer_states)));
  }
  lines.emplace_back("repetition", summary.cyclic ? "states can repeat" : "no state repeats");
}

std::string method(const app::SolveResult& result) {
  if (!result.factoring.empty()) return result.factoring;
  const std::string reason = result.reason.empty() ? "" : fmt::format(" ({})", result.reason);
  return fmt::format("{}, {}{}", name_of(result.summary.engine), name_of(result.summary.algorithm),
                     reason);
}

std::string overview(const app::SolveResult& result) {
  const Summary& summary = result.summary;
  Lines lines = {{"best play", best_play(summary)}};
  add_counts(summary, lines);
  lines.insert(lines.end(), {{"model", name_of(summary.model)}, {"solved by", method(result)}});
  if (!summary.line.empty()) {
    const bool is_puzzle = summary.roles.size() == 1;
    lines.insert(lines.begin() + 1, {is_puzzle ? "plan" : "best line", numbered(summary.line)});
  }
  if (!result.ranks.empty()) lines.emplace_back("ranks", rank_summary(result.ranks));
  if (!result.folder.empty()) lines.emplace_back("folder", result.folder);
  return name_value_lines(lines);
}

std::string equilibrium_text(const app::SolveResult& result) {
  const Summary& summary = result.summary;
  const app::EquilibriumView& view = *result.equilibrium;
  Lines lines = {
      {"best play", value_text(summary.roles, view)},
      {"concept", concept_text(view.solution_concept)},
      {"states", fmt::format("{}, {} terminal, at most {} from the initial state",
                             with_commas(summary.states), with_commas(summary.terminal_states),
                             counted(summary.layers - 1, "move"))}};
  if (result.simultaneous_states) {
    lines.emplace_back("at once", fmt::format("several roles decide in {}; a role randomises in {}",
                                              counted(*result.simultaneous_states, "state"),
                                              with_commas(std::to_string(*result.mixed_states))));
  }
  lines.emplace_back("model", name_of(summary.model));
  lines.emplace_back("solved by", method(result));
  if (!result.folder.empty()) lines.emplace_back("folder", result.folder);
  return name_value_lines(lines) + strategy_tables(view);
}

std::string value_table(const Summary& summary) {
  if (summary.by_value.empty()) return "";
  Row titles = summary.roles;
  titles.push_back(summary.counts == Summary::Counts::classes ? "classes" : "states");
  std::vector<Row> rows;
  bool has_endless = false;
  for (const Summary::Count& count : summary.by_value) {
    rows.push_back(cells(summary.roles, count.rewards));
    rows.back().push_back(with_commas(count.states));
    has_endless = has_endless || count.rewards.empty();
  }
  return "\n" + columns(titles, rows) + (has_endless ? "-: play never ends\n" : "");
}

std::string move_table(const Summary& summary) {
  if (summary.first_moves.empty()) return "";
  const bool distances =
      std::any_of(summary.first_moves.begin(), summary.first_moves.end(),
                  [](const auto& move) { return move.value.distance.has_value(); });
  Row titles = summary.roles;
  titles.insert(titles.begin(),
                {"", "first move of " + summary.roles[summary.first_moves.front().value.role]});
  if (distances) titles.push_back("moves to the end");
  std::vector<Row> rows;
  for (const Summary::FirstMove& move : summary.first_moves) {
    rows.push_back(cells(summary.roles, move.value.rewards));
    rows.back().insert(rows.back().begin(),
                       {mark(move.value.keeps_value, move.value.best), move.name});
    if (distances) rows.back().push_back(cell(move.value.distance));
  }
  return "\n" + columns(titles, rows);
}

// Why the options exclude each other; empty if they do not.
std::string contradiction(const SolveOptions& options) {
  if (!options.plot.empty() && options.request.folder.empty()) {
    return "--plot needs --out";
  }
  if (options.distance && options.no_distance) return "use either --distance or --no-distance";
  return app::contradiction(options.request);
}

app::SolveRequest complete_request(const SolveOptions& options,
                                   std::shared_ptr<const gdl::Rulesheet> rules) {
  app::SolveRequest request = options.request;
  request.rules = std::move(rules);
  if (options.distance || options.no_distance) request.distances = options.distance;
  return request;
}

base::Result<app::SolveResult> find_solution(const SolveOptions& options) {
  const auto rules = read_game_in(options.request.job, options.path, options.request.limits);
  if (!rules) return tl::unexpected(rules.error());
  const app::SolveRequest request = complete_request(options, *rules);
  ProgressLine line(options.progress, "starting");
  auto solved = app::solve(request, line.context());
  const bool is_stopped = !solved && solved.error().kind == base::ErrorKind::time_limit;
  if (is_stopped && was_interrupted()) solved.error().message += "; last: " + line.activity();
  return solved;
}

base::Result<void> write_plot(const SolveOptions& options) {
  const auto drawn = app::plot({options.request.folder, title_of_game(options.path)});
  if (!drawn) return tl::unexpected(drawn.error());
  return app::write_file(options.plot, drawn->svg);
}

base::Result<ExitCode> solve_game(SolveOptions options) {
  auto job = join_job_for(options.cluster);
  if (!job) return tl::unexpected(job.error());
  options.request.job = std::move(*job);
  if (const std::string problem = contradiction(options); !problem.empty()) {
    return usage_error(problem);
  }
  const auto found = find_solution(options);
  if (!found) return tl::unexpected(found.error());
  if (options.request.job && !options.request.job->is_main()) return ExitCode::success;
  write_answer(options.json    ? app::to_json(*found) + "\n"
               : found->hidden ? hidden_text(*found)
               : found->equilibrium
                   ? equilibrium_text(*found)
                   : overview(*found) + value_table(found->summary) + move_table(found->summary));
  const auto drawn = options.plot.empty() ? base::Result<void>() : write_plot(options);
  if (drawn) return ExitCode::success;
  write_message("zermelo: " + drawn.error().message + "\n");
  return exit_code_of(drawn.error().kind);
}

Action declare_solve(CLI::App& app) {
  auto options = std::make_shared<SolveOptions>();
  add_game_argument(app, options->path);
  add_text_option(app, "--out", "FOLDER", options->request.folder, Presence::optional,
                  "Folder to store the solution in; resumes an interrupted run");
  add_choice_option(
      app, "--model", {"own", "difference"},
      [options](std::size_t choice) {
        options->request.model = static_cast<OpponentModel>(choice);
      },
      "Players maximise their own goal (default) or the difference");
  add_named_option(app, "--engine", solve::engines, options->request.engine,
                   "Decision diagrams, or every state in memory (default: auto, by size)");
  add_named_option(app, "--algorithm", solve::algorithms, options->request.algorithm,
                   "The algorithm; all but retrograde are symbolic only (default: auto)");
  add_choice_option(
      app, "--factoring", {"auto", "always", "never"},
      [options](std::size_t choice) {
        options->request.factoring = static_cast<app::FactoringUse>(choice);
      },
      "Solve by subgames: large games and sums (default), always, or never");
  add_percent_option(app, "--precision", options->request.precision,
                     "Hidden information: exploitability, in percent (default: 0.1)");
  add_cluster_option(app, {"hash"}, options->cluster,
                     "Under mpirun: partition the states over the ranks by their hash");
  add_number_option(app, "--threads", options->request.threads, 1024, Presence::optional,
                    "Number of threads (default: all cores)");
  add_flag(app, "--distance", options->distance,
           "Find the moves to the end (with --out: up to 10 million states)");
  add_text_option(app, "--plot", "FILE.svg", options->plot, Presence::optional,
                  "Draw the states and nodes of every layer; needs --out");
  add_flag(app, "--no-distance", options->no_distance, "Store only values");
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return solve_game(*options); };
}

}  // namespace

const Command solve_command = {"solve", "Find the value of every reachable state",
                               "zermelo solve games/tic_tac_toe.kif --out tic_tac_toe",
                               declare_solve};

}  // namespace zermelo::cli
