// compile GAME -o FILE.cc: the game as a self-contained C++ program.
#include "app/compile.h"

#include <memory>

#include "app/write_file.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct CompileOptions {
  std::string path;
  std::string output;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  std::vector<std::string> allow;  // NAME=PATH
};

base::Result<ExitCode> compile(const CompileOptions& options) {
  const auto rules = read_game(options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  const auto text =
      app::compile({*rules, options.limits}, ProgressLine(options.progress, "compiling").context());
  if (!text) return tl::unexpected(text.error());
  if (options.output == "-") {
    write_answer(*text);
  } else if (const auto written = app::write_file(options.output, *text); !written) {
    return tl::unexpected(written.error());
  }
  return ExitCode::success;
}

Action declare_compile(CLI::App& app) {
  auto options = std::make_shared<CompileOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_text_option(app, "-o", "FILE", options->output, Presence::required,
                  "The C++ file to write; - writes standard output");
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  return [options] { return compile(*options); };
}

}  // namespace

const Command compile_command = {"compile", "Write the game as a self-contained C++ program",
                                 "zermelo compile games/tic_tac_toe.kif -o tic_tac_toe.cc",
                                 declare_compile};

}  // namespace zermelo::cli
