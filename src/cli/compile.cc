// compile GAME -o FILE.cc: the game as a self-contained C++ program.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "ground/ground.h"
#include "translate/cpp.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string path;
  std::string output;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
};

base::Result<std::string> translated(const Options& options) {
  const base::Limits limits = options.limits.start({});
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const ProgressLine progress(options.progress, "compiling");
  const auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  std::string text = translate::to_cpp(*game);
  if (const auto exceeded = limits.exceeded()) {
    return base::fail(*exceeded, fmt::format("{}: the limit was reached while compiling",
                                             (*rules)->source->name()));
  }
  return text;
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return !file.fail();
}

base::Result<ExitCode> compile(const Options& options) {
  const auto text = translated(options);
  if (!text) return tl::unexpected(text.error());
  if (options.output == "-") {
    write_answer(*text);
  } else if (!write_file(options.output, *text)) {
    write_message(
        fmt::format("zermelo: {}: cannot be written: {}\n", options.output, std::strerror(errno)));
    return ExitCode::defect;
  }
  return ExitCode::success;
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_text_option(app, "-o", "FILE", options->output, Presence::required,
                  "The C++ file to write; - writes standard output");
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  return [options] { return compile(*options); };
}

}  // namespace

const Command compile_command = {"compile", "Write the game as a self-contained C++ program",
                                 "zermelo compile games/tic_tac_toe.kif -o tic_tac_toe.cc",
                                 declare};

}  // namespace zermelo::cli
