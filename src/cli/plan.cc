// plan GAME: the moves of a single-player game that reach the best reward.
#include "app/plan.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct PlanOptions {
  std::string path;
  app::PlanRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::string numbered_moves(const std::vector<std::string>& moves) {
  const std::size_t width = std::to_string(moves.size()).size();
  std::string text;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    text += fmt::format("{:>{}}  {}\n", i + 1, width, moves[i]);
  }
  return text;
}

std::string reward_text(const app::PlanReport& report) {
  if (!report.reward) {
    return report.is_optimal ? "none: no moves have a reward above 0" : "none found so far";
  }
  return fmt::format("{}, {}", *report.reward,
                     report.is_optimal ? "proved to be the best" : "not proved to be the best");
}

std::string plan_text(const app::PlanReport& report) {
  std::vector<std::pair<std::string, std::string>> lines = {{"reward", reward_text(report)}};
  if (report.reward) lines.emplace_back("moves", std::to_string(report.moves.size()));
  lines.emplace_back("planner", report.planner);
  const std::string moves = numbered_moves(report.moves);
  return moves + (moves.empty() ? "" : "\n") + name_value_lines(lines);
}

ExitCode end_of(const app::PlanReport& report) {
  for (const app::PlannerFailure& failure : report.failures)
    write_message(fmt::format("zermelo: without {}: {}\n", failure.planner, failure.message));
  if (report.stopped) return end_of_work(report.stopped);
  return report.is_unsolvable() ? ExitCode::answer_is_no : ExitCode::success;
}

base::Result<app::PlanReport> find_plan(const PlanOptions& options) {
  const auto rules = read_game(options.path, options.request.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  app::PlanRequest request = options.request;
  request.rules = *rules;
  ProgressLine line(options.progress, "planning");
  return app::plan(request, line.context());
}

// An interrupted search still shows its best plan.
base::Result<ExitCode> plan_game(const PlanOptions& options) {
  const auto report = find_plan(options);
  if (!report) return tl::unexpected(report.error());
  write_answer(options.json ? app::to_json(*report) + "\n" : plan_text(*report));
  return end_of(*report);
}

void add_external_options(CLI::App& app, app::PlannerOptions& options) {
  add_choice_option(
      app, "--style", {"faithful", "direct"},
      [&options](std::size_t choice) {
        options.style = choice == 0 ? app::TaskStyle::faithful : app::TaskStyle::direct;
      },
      "The translation that other planners get (default direct)");
  add_text_option(app, "--search", "TEXT", options.search,
                  "One search of fast-downward or symk instead of the portfolio");
  add_flag(app, "--drop-step-counter", options.drop_step_counter,
           "With --search or a program: without fluents that only count steps");
}

Action declare_plan(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_text_option(app, "--planner", "NAME|PATH", options->request.planner, Presence::optional,
                  "native (default), fast-downward, symk, or a program that reads PDDL");
  add_flag(app, "--race", options->request.race, "The native planner and others at the same time");
  add_external_options(app, options->request.external);
  add_seed_option(app, options->request.seed);
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return plan_game(*options); };
}

}  // namespace

const Command plan_command = {"plan", "Find the best moves of a single-player game",
                              "zermelo plan games/eight_puzzle.kif --time 60s", declare_plan};

}  // namespace zermelo::cli
