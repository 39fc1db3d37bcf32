// draw GAME|FOLDER: a position as an SVG picture.
#include "app/draw.h"

#include <filesystem>
#include <memory>
#include <optional>

#include "app/write_file.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"

namespace zermelo::cli {
namespace {

struct DrawOptions {
  std::string path, output;
  std::optional<std::string> moves;
  std::optional<std::uint64_t> random_moves;
  std::uint64_t seed = 1;
  LimitOptions limits;
  std::vector<std::string> allow;  // NAME=PATH
};

base::Result<ExitCode> draw(const DrawOptions& options) {
  app::DrawRequest request;
  if (std::error_code ignored; std::filesystem::is_directory(options.path, ignored)) {
    request.folder = options.path;
  } else {
    const auto rules = read_game(options.path, options.limits, options.allow);
    if (!rules) return tl::unexpected(rules.error());
    request.rules = *rules;
  }
  request.moves = options.moves.value_or("");
  request.random_moves = options.random_moves.value_or(0);
  request.seed = options.seed;
  request.limits = options.limits;
  const auto picture = app::draw(request);
  if (!picture) return tl::unexpected(picture.error());
  if (options.output == "-") {
    write_answer(*picture);
  } else if (const auto written = app::write_file(options.output, *picture); !written) {
    return tl::unexpected(written.error());
  }
  return ExitCode::success;
}

Action declare_draw(CLI::App& app) {
  constexpr std::uint64_t max_moves = 100'000;
  auto options = std::make_shared<DrawOptions>();
  add_argument(app, "GAME|FOLDER", options->path, Presence::required,
               "A rulesheet, or the folder of a stored solution");
  add_allow_option(app, options->allow);
  add_text_option(app, "-o", "FILE", options->output, Presence::required,
                  "The SVG file to write; - writes standard output");
  add_text_option(app, "--moves", "MOVES", options->moves,
                  "The position after these moves, one per step, by the player to move");
  add_number_option(app, "--random", options->random_moves, max_moves, Presence::optional,
                    "Then make so many random moves, or fewer if the game ends");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  return [options] { return draw(*options); };
}

}  // namespace

const Command draw_command = {
    "draw", "Draw a position as an SVG picture",
    "zermelo draw games/tic_tac_toe.kif --moves \"(mark 2 2)\" -o picture.svg", declare_draw};

}  // namespace zermelo::cli
