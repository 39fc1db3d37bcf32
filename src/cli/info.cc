// info GAME: describes the game.
#include <memory>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/info_text.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct InfoOptions {
  std::string path;
  LimitOptions limits;
  std::uint64_t seed = 1;
  ProgressMode progress = ProgressMode::automatic;
  bool no_conditions = false;
  bool states = false;
  bool symbolic = false;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

base::Result<ExitCode> info(const InfoOptions& options) {
  const auto rules = read_game(options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  const auto description = app::describe({*rules, !options.no_conditions, options.states,
                                          options.symbolic, options.seed, options.limits},
                                         ProgressLine(options.progress, "grounding").context());
  if (!description) return tl::unexpected(description.error());
  write_answer(options.json ? app::to_json(*description) + "\n" : info_text(*description));
  return ExitCode::success;
}

Action declare_info(CLI::App& app) {
  auto options = std::make_shared<InfoOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_flag(app, "--no-conditions", options->no_conditions,
           "Only ground the game; skip the analysis");
  add_flag(app, "--states", options->states, "Spend more time on bounding the number of states");
  add_flag(app, "--symbolic", options->symbolic, "Also describe the game as decision diagrams");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return info(*options); };
}

}  // namespace

const Command info_command = {"info", "Describe the game", "zermelo info games/tic_tac_toe.kif",
                              declare_info};

}  // namespace zermelo::cli
