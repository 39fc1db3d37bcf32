// experiment NAME: studies that can be repeated. bandit: action selection on n-armed bandits.
// strength: players against exact values (experiment_strength.h).
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/experiment_strength.h"
#include "cli/json_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/svg_chart.h"
#include "search/bandit.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::optional<std::uint64_t> tasks;
  std::uint64_t seed = 1;
  std::string folder = ".";
  bool is_about_strength = false;
  std::optional<std::uint64_t> positions;
  StrengthStudy strength;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

struct Study {
  search::BanditSetup setup;
  std::vector<Curve> curves;  // by agent
};

search::BanditOptions bandit_options(const Options& options, const search::BanditSetup& setup) {
  constexpr std::uint32_t papers_tasks = 1'000, papers_tasks_per_model = 200;
  search::BanditOptions result;
  result.seed = options.seed;
  result.tasks = static_cast<std::uint32_t>(
      options.tasks.value_or(setup.hand_built ? papers_tasks : papers_tasks_per_model));
  return result;
}

Study run(const Options& options, const search::BanditSetup& setup) {
  Study study{setup, {}};
  for (const search::BanditAgent& agent : search::paper_agents()) {
    study.curves.push_back(
        {agent.name, search::run_setup(setup, agent, bandit_options(options, setup))});
  }
  return study;
}

std::string csv(const std::vector<Study>& studies) {
  std::string text = "setup,arms,winners,agent,samples,right,half_width\n";
  for (const Study& study : studies) {
    for (const Curve& curve : study.curves) {
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        text +=
            fmt::format("\"{}\",{},{},{},{},{:.4f},{:.4f}\n", study.setup.name, study.setup.arms,
                        study.setup.winners, curve.name, (i + 1) * search::BanditOptions().every,
                        curve.points[i].mean, curve.points[i].half_width);
      }
    }
  }
  return text;
}

std::string picture(const Study& study) {
  const search::BanditOptions defaults;
  return svg({study.setup.name + ": how often a winning arm is named", "samples",
              static_cast<double>(defaults.every), static_cast<double>(defaults.samples),
              study.curves});
}

std::string file_name(const search::BanditSetup& setup) {
  return setup.hand_built
             ? fmt::format("bandit_hand_built_{}.svg", setup.arms)
             : fmt::format("bandit_random_{}_{}.svg", setup.arms, 100 * setup.winners / setup.arms);
}

base::Result<void> write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (file.flush()) return {};
  return base::fail(base::ErrorKind::unwritable_output,
                    fmt::format("cannot write '{}'", path.string()));
}

nlohmann::ordered_json as_json(const std::vector<Study>& studies) {
  nlohmann::ordered_json curves = nlohmann::ordered_json::array();
  for (const Study& study : studies) {
    for (const Curve& curve : study.curves) {
      nlohmann::ordered_json right = nlohmann::ordered_json::array(), widths = right;
      for (const base::Interval& point : curve.points) {
        right.push_back(point.mean);
        widths.push_back(point.half_width);
      }
      curves.push_back({{"setup", study.setup.name},
                        {"arms", study.setup.arms},
                        {"winners", study.setup.winners},
                        {"agent", curve.name},
                        {"right", right},
                        {"half_widths", widths}});
    }
  }
  return {{"every", search::BanditOptions().every}, {"curves", curves}};
}

// Right answers in percent after some numbers of samples.
std::string table(const std::vector<Study>& studies) {
  constexpr std::size_t places[] = {9, 49, 99, 199, 299};
  std::vector<std::string> titles = {"setup", "agent"};
  for (const std::size_t place : places) titles.push_back(fmt::format("{}", (place + 1) * 10));
  std::vector<std::vector<std::string>> rows;
  for (const Study& study : studies) {
    for (const Curve& curve : study.curves) {
      rows.push_back({study.setup.name, curve.name});
      for (const std::size_t place : places) {
        const base::Interval& point = curve.points[place];
        rows.back().push_back(
            fmt::format("{:.1f}+-{:.1f}", 100 * point.mean, 100 * point.half_width));
      }
    }
  }
  return columns(titles, rows);
}

base::Result<ExitCode> bandit(const Options& options) {
  std::vector<Study> studies;
  {
    const ProgressLine progress(options.progress, "experiment");
    for (const search::BanditSetup& setup : search::paper_setups()) {
      studies.push_back(run(options, setup));
    }
  }
  const std::filesystem::path folder = options.folder;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  auto written = write_file(folder / "bandit.csv", csv(studies));
  for (const Study& study : studies) {
    if (written) written = write_file(folder / file_name(study.setup), picture(study));
  }
  if (!written) return tl::unexpected(written.error());
  if (options.json) {
    write_json(as_json(studies));
    return ExitCode::success;
  }
  write_answer("Right answers in percent after so many samples:\n" + table(studies));
  return ExitCode::success;
}

base::Result<ExitCode> strength(const Options& options) {
  StrengthStudy study = options.strength;
  if (study.game.empty() || study.values.empty()) {
    write_message("zermelo: experiment strength needs --game and --values\n");
    return ExitCode::usage;
  }
  if (study.players.empty()) {
    study.players = {"uct:time=0.1s", "uct:time=0.1s,variant=st", "uct:time=0.1s,variant=ma",
                     "uct:time=0.1s,variant=rave", "uct:time=0.1s,variant=mast"};
  }
  study.positions = std::max<std::uint64_t>(1, options.positions.value_or(study.positions));
  study.seed = options.seed;
  study.progress = options.progress;
  study.json = options.json;
  return run_strength_study(study);
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_choice_option(
      app, "NAME", {"bandit", "strength"},
      [options](std::size_t choice) { options->is_about_strength = choice == 1; },
      "bandit: n-armed bandits; strength: players against exact values");
  add_text_option(app, "--game", "GAME", options->strength.game, Presence::optional,
                  "strength: file with the rules");
  add_text_option(app, "--values", "FOLDER", options->strength.values, Presence::optional,
                  "strength: the solved game, as `solve --out` writes it");
  add_texts_option(app, "--player", "SPEC", options->strength.players, Presence::optional,
                   "strength: a player (default: uct at 0.1 s, plain and each variant)");
  add_number_option(app, "--positions", options->positions, 1'000'000, Presence::optional,
                    "strength: random positions (default: 200)");
  add_number_option(app, "--tasks", options->tasks, 1'000'000, Presence::optional,
                    "bandit: tasks of a trial (default: 1000, of a random bandit 200)");
  add_text_option(app, "--out", "DIR", options->folder, Presence::optional,
                  "bandit: folder for bandit.csv and the pictures (default: .)");
  add_seed_option(app, options->seed);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] {
    if (options->is_about_strength) return strength(*options);
    if (options->tasks == 0) options->tasks = 1;
    return bandit(*options);
  };
}

}  // namespace

const Command experiment_command = {"experiment",
                                    "Repeat a study of players or of action selection",
                                    "zermelo experiment bandit --tasks 10 --out bandit", declare};

}  // namespace zermelo::cli
