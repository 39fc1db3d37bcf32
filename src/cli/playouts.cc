// playouts GAME --seconds S|--count N: plays random games.
#include "app/playouts.h"

#include <fmt/format.h>

#include <limits>
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

struct PlayoutsOptions {
  std::string path;
  std::optional<std::uint64_t> count;
  std::optional<std::chrono::duration<double>> seconds;
  std::uint64_t seed = 1;
  app::PlayoutEngine engine = app::PlayoutEngine::sliced;
  std::optional<std::uint64_t> threads;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::string as_text(const app::PlayoutStatistics& statistics) {
  const machine::PlayoutResult& totals = statistics.totals;
  std::vector<std::string> goals;
  for (std::size_t role = 0; role < statistics.roles.size(); ++role) {
    goals.push_back(fmt::format("{} {:.2f}", statistics.roles[role], totals.mean_goals[role]));
  }
  const auto rate = [](double per_second) {
    return grouped(static_cast<unsigned long long>(per_second));
  };
  std::vector<std::pair<std::string, std::string>> lines = {
      {"engine", std::string(name_of(statistics.engine))},
      {"playouts", fmt::format("{} in {:.2f} s", grouped(totals.playouts), totals.seconds)},
      {"playouts per second", rate(statistics.playouts_per_second())},
      {"states per second", rate(statistics.states_per_second())},
      {"mean depth", fmt::format("{:.2f}", totals.mean_depth)},
      {"mean goals", fmt::format("{}", fmt::join(goals, ", "))},
      {"signature", fmt::format("{:016x}", totals.signature)}};
  if (totals.abandoned > 0) lines.push_back({"abandoned, too long", grouped(totals.abandoned)});
  if (totals.stuck > 0) lines.push_back({"stuck without a move", grouped(totals.stuck)});
  return name_value_lines(lines);
}

base::Result<ExitCode> playouts(const PlayoutsOptions& options) {
  const auto rules = read_game(options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  const auto statistics = app::play_randomly({*rules, options.count, options.seconds, options.seed,
                                              options.engine, options.threads, options.limits},
                                             ProgressLine(options.progress, "playing").context());
  if (!statistics) return tl::unexpected(statistics.error());
  write_answer(options.json ? app::to_json(*statistics) + "\n" : as_text(*statistics));
  return end_of_work(statistics->stopped);
}

Action declare_playouts(CLI::App& app) {
  auto options = std::make_shared<PlayoutsOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_duration_option(app, "--seconds", options->seconds,
                      "Start no game after this time (default: 1s)");
  add_number_option(app, "--count", options->count, std::numeric_limits<std::uint64_t>::max() / 2,
                    Presence::optional, "Number of games");
  add_playout_engine_option(app, options->engine);
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Threads of the engines sliced and interpreted (default: all cores)");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return playouts(*options); };
}

}  // namespace

const Command playouts_command = {"playouts", "Play random games and report rates and averages",
                                  "zermelo playouts games/tic_tac_toe.kif --count 1000",
                                  declare_playouts};

}  // namespace zermelo::cli
