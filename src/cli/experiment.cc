// experiment NAME: studies that can be repeated.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/experiment_bandit.h"
#include "cli/experiment_position.h"
#include "cli/experiment_strength.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

enum class Study { bandit, position, strength };
const std::vector<std::string> study_names = {"bandit", "position", "strength"};

struct Options {
  std::optional<Study> study;
  BanditStudy bandit;
  PositionStudy position;
  StrengthStudy strength;
  std::optional<std::uint64_t> positions;
  std::uint64_t seed = 1;
  std::string folder;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

ExitCode wrong_use(std::string_view message) {
  write_message(fmt::format("zermelo: {}\n", message));
  return ExitCode::usage;
}

// An option that not all studies have.
struct OwnOption {
  const char* name;
  bool given;
  std::vector<Study> studies;
};

std::vector<OwnOption> own_options(const Options& options) {
  return {{"--game", !options.strength.game.empty(), {Study::strength}},
          {"--values", !options.strength.values.empty(), {Study::strength}},
          {"--player", !options.strength.players.empty(), {Study::strength}},
          {"--positions", options.positions.has_value(), {Study::strength}},
          {"--tasks", options.bandit.tasks.has_value(), {Study::bandit}},
          {"--trials", options.position.trials.has_value(), {Study::position}},
          {"--threads", options.position.threads.has_value(), {Study::position}},
          {"--out", !options.folder.empty(), {Study::bandit, Study::position}}};
}

// A given option that the study has not.
std::optional<std::string> foreign_option(const Options& options) {
  for (const OwnOption& option : own_options(options)) {
    const bool fits = std::count(option.studies.begin(), option.studies.end(), *options.study) > 0;
    if (option.given && !fits) return option.name;
  }
  return std::nullopt;
}

// What all studies share.
template <class StudyOptions>
StudyOptions with_shared(StudyOptions study, const Options& options) {
  study.seed = options.seed;
  study.progress = options.progress;
  study.json = options.json;
  return study;
}

base::Result<ExitCode> bandit(const Options& options) {
  BanditStudy study = with_shared(options.bandit, options);
  if (!options.folder.empty()) study.folder = options.folder;
  return run_bandit_study(study);
}

base::Result<ExitCode> position(const Options& options) {
  PositionStudy study = with_shared(options.position, options);
  if (!options.folder.empty()) study.folder = options.folder;
  return run_position_study(study);
}

base::Result<ExitCode> strength(const Options& options) {
  StrengthStudy study = with_shared(options.strength, options);
  if (study.game.empty() || study.values.empty()) {
    return wrong_use("experiment strength needs --game and --values");
  }
  if (study.players.empty()) {
    study.players = {"uct:time=0.1s", "uct:time=0.1s,variant=st", "uct:time=0.1s,variant=ma",
                     "uct:time=0.1s,variant=rave", "uct:time=0.1s,variant=mast"};
  }
  study.positions = options.positions.value_or(study.positions);
  return run_strength_study(study);
}

ExitCode list_studies() {
  return wrong_use(
      "name an experiment:\n"
      "  bandit    action selection on n-armed bandits: UCT, sufficiency threshold, moving "
      "average\n"
      "  position  how often the search finds the winning move of a position of Breakthrough\n"
      "  strength  how often players keep the value of random positions of a solved game");
}

base::Result<ExitCode> experiment(const Options& options) {
  if (!options.study) return list_studies();
  if (const auto option = foreign_option(options)) {
    const std::string& name = study_names[static_cast<std::size_t>(*options.study)];
    return wrong_use(fmt::format("experiment {} has no option {}", name, *option));
  }
  if (options.study == Study::bandit) return bandit(options);
  if (options.study == Study::position) return position(options);
  return strength(options);
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_choice_option(
      app, "NAME", study_names,
      [options](std::size_t choice) { options->study = static_cast<Study>(choice); },
      "The study; without a name they are listed");
  add_text_option(app, "--game", "GAME", options->strength.game, Presence::optional,
                  "strength: file with the rules");
  add_text_option(app, "--values", "FOLDER", options->strength.values, Presence::optional,
                  "strength: the solved game, as `solve --out` writes it");
  add_texts_option(app, "--player", "SPEC", options->strength.players, Presence::optional,
                   "strength: a player (default: uct at 0.1 s, plain and each variant)");
  add_count_option(app, "--positions", options->positions, 1'000'000,
                   "strength: random positions (default: 200)");
  add_count_option(app, "--tasks", options->bandit.tasks, 1'000'000,
                   "bandit: tasks of a trial (default: 1000, of a random bandit 200)");
  add_count_option(app, "--trials", options->position.trials, 1'000'000,
                   "position: searches of each variant (default: 1000)");
  add_number_option(app, "--threads", options->position.threads, 1024, Presence::optional,
                    "position: searches at the same time (default: all cores)");
  add_text_option(app, "--out", "DIR", options->folder, Presence::optional,
                  "bandit, position: folder for the CSV file and pictures (default: .)");
  add_seed_option(app, options->seed);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return experiment(*options); };
}

}  // namespace

const Command experiment_command = {"experiment",
                                    "Repeat a study of players or of action selection",
                                    "zermelo experiment bandit --tasks 10 --out bandit", declare};

}  // namespace zermelo::cli
