// experiment NAME: runs an experiment.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/json.h"
#include "app/players.h"
#include "cli/command.h"
#include "cli/experiment_text.h"
#include "cli/game_input.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

enum class Study { bandit, position, properties, strength };
const std::vector<std::string> study_names = {"bandit", "position", "properties", "strength"};

struct ExperimentOptions {
  std::optional<Study> study;
  std::string game, values;  // of strength
  std::vector<std::string> players;
  std::optional<std::uint64_t> positions, tasks, trials, threads;
  std::uint64_t seed = 1;
  std::string folder;
  bool quick = false;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

// An option that only some studies accept.
struct OwnOption {
  const char* name;
  bool given;
  std::vector<Study> studies;
};

std::vector<OwnOption> own_options(const ExperimentOptions& options) {
  return {{"--game", !options.game.empty(), {Study::strength}},
          {"--values", !options.values.empty(), {Study::strength}},
          {"--player", !options.players.empty(), {Study::strength}},
          {"--positions", options.positions.has_value(), {Study::strength}},
          {"--tasks", options.tasks.has_value(), {Study::bandit}},
          {"--trials", options.trials.has_value(), {Study::position, Study::properties}},
          {"--threads", options.threads.has_value(), {Study::position, Study::properties}},
          {"--quick", options.quick, {Study::properties}},
          {"--out", !options.folder.empty(), {Study::bandit, Study::position, Study::properties}}};
}

// Returns a given option that the study does not accept.
std::optional<std::string> foreign_option(const ExperimentOptions& options) {
  for (const OwnOption& option : own_options(options)) {
    const bool fits = std::count(option.studies.begin(), option.studies.end(), *options.study) > 0;
    if (option.given && !fits) return option.name;
  }
  return std::nullopt;
}

std::string folder_of(const ExperimentOptions& options) {
  return options.folder.empty() ? "." : options.folder;
}

// Prints the result, then reports on standard error files that could not be written.
template <class Result>
base::Result<ExitCode> show(const base::Result<Result>& study, bool json) {
  if (!study) return tl::unexpected(study.error());
  write_answer(json ? app::to_json(*study) + "\n" : experiment_text(*study));
  if constexpr (requires { study->files; }) {
    if (!study->files) {
      write_message(fmt::format("zermelo: {}\n", study->files.error().message));
      return exit_code_of(study->files.error().kind);
    }
  }
  return end_of_work(study->stopped);
}

base::Result<ExitCode> bandit(const ExperimentOptions& options) {
  app::BanditRequest request;
  if (options.tasks) request.tasks = static_cast<std::uint32_t>(*options.tasks);
  request.seed = options.seed;
  request.folder = folder_of(options);
  const auto study =
      app::study_bandits(request, ProgressLine(options.progress, "experiment").context());
  return show(study, options.json);
}

base::Result<ExitCode> position(const ExperimentOptions& options) {
  app::PositionRequest request;
  if (options.trials) request.trials = static_cast<std::uint32_t>(*options.trials);
  request.threads = options.threads;
  request.seed = options.seed;
  request.folder = folder_of(options);
  const auto study =
      app::study_position(request, ProgressLine(options.progress, "experiment").context());
  return show(study, options.json);
}

base::Result<ExitCode> properties(const ExperimentOptions& options) {
  app::PropertiesRequest request;
  if (options.trials) request.trials = static_cast<std::uint32_t>(*options.trials);
  request.threads = options.threads;
  request.quick = options.quick;
  request.seed = options.seed;
  request.folder = folder_of(options);
  const auto study =
      app::study_properties(request, ProgressLine(options.progress, "experiment").context());
  return show(study, options.json);
}

base::Result<ExitCode> strength(const ExperimentOptions& options) {
  if (options.game.empty() || options.values.empty()) {
    return usage_error("experiment strength needs --game and --values");
  }
  const auto texts = options.players.empty() ? app::usual_players() : options.players;
  const auto players = app::read_players(texts, texts.size());
  if (!players) return tl::unexpected(players.error());
  const auto rules = read_game(options.game);
  if (!rules) return tl::unexpected(rules.error());
  app::StrengthRequest request{*rules, options.values, *players};
  request.positions = options.positions.value_or(request.positions);
  request.seed = options.seed;
  const auto study =
      app::study_strength(request, ProgressLine(options.progress, "positions").context());
  return show(study, options.json);
}

ExitCode list_studies() {
  return usage_error(
      "missing NAME; the experiments are:\n"
      "  bandit      action selection on n-armed bandits: UCT, sufficiency threshold, moving "
      "average\n"
      "  position    how often the search finds the winning move of a position of Breakthrough\n"
      "  properties  how depth, width, progression and tempting moves affect the search\n"
      "  strength    how often players keep the value of random positions of a solved game");
}

base::Result<ExitCode> experiment(const ExperimentOptions& options) {
  if (!options.study) return list_studies();
  if (const auto option = foreign_option(options)) {
    const std::string& name = study_names[static_cast<std::size_t>(*options.study)];
    return usage_error(fmt::format("experiment {} does not accept {}", name, *option));
  }
  if (options.study == Study::bandit) return bandit(options);
  if (options.study == Study::position) return position(options);
  if (options.study == Study::properties) return properties(options);
  return strength(options);
}

Action declare_experiment(CLI::App& app) {
  auto options = std::make_shared<ExperimentOptions>();
  add_choice_option(
      app, "NAME", study_names,
      [options](std::size_t choice) { options->study = static_cast<Study>(choice); },
      "The experiment; omit it to list all");
  add_text_option(app, "--game", "GAME", options->game, Presence::optional,
                  "strength: file with the rules");
  add_text_option(app, "--values", "FOLDER", options->values, Presence::optional,
                  "strength: folder of a stored solution");
  add_texts_option(app, "--player", "SPEC", options->players, Presence::optional,
                   "strength: a player (default: uct at 0.1 s, plain and each variant)");
  add_count_option(app, "--positions", options->positions, 1'000'000,
                   "strength: number of random positions (default: 200)");
  add_count_option(app, "--tasks", options->tasks, 1'000'000,
                   "bandit: tasks per trial (default: 1000; 200 for random bandits)");
  add_count_option(app, "--trials", options->trials, 1'000'000,
                   "position: searches per variant (default: 1000); properties: games per point");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "position, properties: parallel searches (default: all cores)");
  add_flag(app, "--quick", options->quick, "properties: few small points, in some seconds");
  add_text_option(app, "--out", "DIR", options->folder, Presence::optional,
                  "bandit, position, properties: folder for CSV files and pictures (default: .)");
  add_seed_option(app, options->seed);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return experiment(*options); };
}

}  // namespace

const Command experiment_command = {
    "experiment", "Run an experiment on players or action selection",
    "zermelo experiment bandit --tasks 10 --out bandit", declare_experiment};

}  // namespace zermelo::cli
