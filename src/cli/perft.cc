// perft GAME --depth N: counts joint-move sequences by depth.
#include "app/perft.h"

#include <memory>

#include "app/json.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/playout_engine_option.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct PerftOptions {
  std::string path;
  std::optional<std::uint64_t> depth;
  app::PlayoutEngine engine = app::PlayoutEngine::fast;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::string as_table(const app::PerftCounts& counts) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t depth = 0; depth < counts.depths.size(); ++depth) {
    const auto& [sequences, terminal] = counts.depths[depth];
    rows.push_back({std::to_string(depth), grouped(sequences), grouped(terminal)});
  }
  const std::string at_least = counts.stopped ? ", at least" : "";
  return columns({"depth", "sequences" + at_least, "terminal" + at_least}, rows);
}

base::Result<ExitCode> perft(const PerftOptions& options) {
  const auto rules = read_game(options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  const auto counts = app::perft({*rules, *options.depth, options.engine, options.limits},
                                 ProgressLine(options.progress, "counting").context());
  if (!counts) return tl::unexpected(counts.error());
  write_answer(options.json ? app::to_json(*counts) + "\n" : as_table(*counts));
  return end_of_work(counts->stopped);
}

Action declare_perft(CLI::App& app) {
  auto options = std::make_shared<PerftOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_number_option(app, "--depth", options->depth, 1000, Presence::required,
                    "Maximum number of joint moves");
  add_engine_option(app, options->engine);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return perft(*options); };
}

}  // namespace

const Command perft_command = {"perft", "Count the joint-move sequences of each length",
                               "zermelo perft games/tic_tac_toe.kif --depth 5", declare_perft};

}  // namespace zermelo::cli
