// translate GAME --to LANGUAGE -o PATH: the game in another language.
#include "app/translate.h"

#include <array>
#include <memory>
#include <optional>

#include "app/output_folder.h"
#include "app/write_file.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct TranslateOptions {
  std::string path;
  std::string output;
  std::optional<app::TargetLanguage> target;
  app::TranslateRequest request;
  bool no_derived = false;
  ProgressMode progress = ProgressMode::automatic;
  std::vector<std::string> allow;  // NAME=PATH
};

base::Result<void> write_files(const std::string& path,
                               const std::vector<app::TranslatedFile>& files) {
  if (path == "-") {
    for (const app::TranslatedFile& file : files) write_answer(file.text);
    return {};
  }
  if (files.size() == 1) return app::write_file(path, files[0].text);
  auto folder = app::OutputFolder::open(path);
  if (!folder) return tl::unexpected(folder.error());
  for (const app::TranslatedFile& file : files) folder->write(file.name, file.text);
  return folder->written();
}

base::Result<ExitCode> translate_game(const TranslateOptions& options) {
  app::TranslateRequest request = options.request;
  if (!options.target) return base::fail(base::ErrorKind::invalid_request, "--to is required");
  request.target = *options.target;
  request.keep_derived = !options.no_derived;
  const auto rules = read_game(options.path, request.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  const auto files =
      app::translate(request, ProgressLine(options.progress, "translating").context());
  if (!files) return tl::unexpected(files.error());
  if (auto written = write_files(options.output, *files); !written)
    return tl::unexpected(written.error());
  return ExitCode::success;
}

void add_language_options(CLI::App& app, TranslateOptions& options) {
  using app::TargetLanguage;
  add_choice_option(
      app, "--to", {"pddl", "sas", "gddl", "toss", "cpp"},
      [&options](std::size_t choice) {
        options.target = std::array{TargetLanguage::pddl, TargetLanguage::sas, TargetLanguage::gddl,
                                    TargetLanguage::toss, TargetLanguage::cpp}[choice];
      },
      "The language: PDDL or SAS+ for planners (one role), GDDL, Toss, or C++");
  add_choice_option(
      app, "--style", {"faithful", "direct"},
      [&options](std::size_t choice) {
        options.request.style = choice == 0 ? app::TaskStyle::faithful : app::TaskStyle::direct;
      },
      "PDDL: the rules as written, or an action per move (default direct)");
}

void add_dialect_option(CLI::App& app, TranslateOptions& options) {
  add_choice_option(
      app, "--dialect", {"start", "paper"},
      [&options](std::size_t choice) { options.request.paper_dialect = choice == 1; },
      "Toss: the starting structure after START, or MODEL (default start)");
}

Action declare_translate(CLI::App& app) {
  auto options = std::make_shared<TranslateOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_language_options(app, *options);
  add_dialect_option(app, *options);
  add_text_option(app, "-o", "PATH", options->output, Presence::required,
                  "The file to write, for PDDL a folder; - writes standard output");
  add_flag(app, "--drop-step-counter", options->request.drop_step_counter,
           "Without fluents that only count the steps (sas, direct pddl)");
  add_flag(app, "--no-derived", options->no_derived, "GDDL without derived predicates");
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  return [options] { return translate_game(*options); };
}

}  // namespace

const Command translate_command = {"translate", "Write the game in another language",
                                   "zermelo translate games/blocks_world.kif --to pddl -o blocks",
                                   declare_translate};

}  // namespace zermelo::cli
