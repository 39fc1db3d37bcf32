// coalition GAME: what each set of roles can secure, the Shapley value and the core.
#include "app/coalition.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>

#include "app/json.h"
#include "app/write_file.h"
#include "cli/command.h"
#include "cli/equilibrium_output.h"
#include "cli/game_input.h"
#include "cli/interruption.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct CoalitionOptions {
  std::string path;
  std::string plot;  // a file; empty: none
  std::optional<std::uint64_t> games, threads;
  std::string player;
  app::CoalitionRequest request;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::string shares_text(const std::vector<std::string>& roles, const std::vector<double>& shares) {
  std::string text;
  for (std::size_t role = 0; role < roles.size(); ++role) {
    text += fmt::format("{}{} {}", role == 0 ? "" : ", ", roles[role], decimal(shares[role]));
  }
  return text;
}

// What each coalition secures, or gets in games.
std::string values_text(const app::CoalitionResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (solve::Coalition c = 1; c <= result.values.everybody(); ++c) {
    const solve::CoalitionValues& values = result.values;
    const std::string members = fmt::format("{}", fmt::join(result.members(c), ", "));
    if (result.games) {
      const double most = 100.0 * std::popcount(c);
      rows.push_back({members, fmt::format("{:.1f}", values.value(c)),
                      fmt::format("{:.1f} to {:.1f}", std::max(values.low[c], 0.0),
                                  std::min(values.high[c], most))});
    } else {
      rows.push_back({members, decimal(values.value(c))});
    }
  }
  return result.games ? columns({"coalition", "mean sum", "95% interval"}, rows)
                      : columns({"coalition", "secures"}, rows);
}

std::string error_text(const app::CoalitionResult& result) {
  if (result.games) return fmt::format("means of {} each", counted(*result.games, "game"));
  double width = 0;
  for (solve::Coalition c = 1; c <= result.values.everybody(); ++c) {
    width = std::max(width, result.values.high[c] - result.values.low[c]);
  }
  return width == 0 ? "exact" : fmt::format("at most {:.1e}", width / 2);
}

std::string coalition_text(const app::CoalitionResult& result) {
  const bool is_empty = result.core.core_is_empty();
  const std::string shares = shares_text(result.roles, result.core.shares);
  return values_text(result) + "\n" +
         name_value_lines(
             {{result.games ? "values" : "error", error_text(result)},
              {"superadditive", result.violation ? "no" : "yes"},
              {"Shapley value", shares_text(result.roles, result.shapley)},
              {"core", is_empty
                           ? fmt::format("empty; closest: {}, where some coalition gets {} too "
                                         "little",
                                         shares, decimal(-result.core.excess))
                           : fmt::format("for example {}", shares)}});
}

base::Result<app::CoalitionResult> find_coalitions(const CoalitionOptions& options) {
  app::CoalitionRequest request = options.request;
  if (!options.games && (!options.player.empty() || options.threads)) {
    return base::fail(base::ErrorKind::invalid_request, "--player and --threads require --games");
  }
  const auto rules = read_game(options.path, request.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  request.games = options.games;
  request.threads = options.threads;
  if (!options.player.empty()) request.player = options.player;
  ProgressLine line(options.progress, "starting");
  return app::coalition(request, line.context());
}

base::Result<ExitCode> show_coalitions(const CoalitionOptions& options) {
  const auto result = find_coalitions(options);
  if (!result) return tl::unexpected(result.error());
  write_answer(options.json ? app::to_json(*result) + "\n" : coalition_text(*result));
  if (options.plot.empty()) return ExitCode::success;
  const auto drawn =
      app::write_file(options.plot, app::coalition_picture(*result, title_of_game(options.path)));
  if (drawn) return ExitCode::success;
  write_message("zermelo: " + drawn.error().message + "\n");
  return exit_code_of(drawn.error().kind);
}

Action declare_coalition(CLI::App& app) {
  auto options = std::make_shared<CoalitionOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_text_option(app, "--plot", "FILE.svg", options->plot, Presence::optional,
                  "Draw the values of the coalitions and the shares of the roles");
  add_count_option(app, "--games", options->games, 1'000'000,
                   "Play this many games per coalition instead of solving the game");
  add_text_option(app, "--player", "SPEC", options->player, Presence::optional,
                  "The player of all roles in these games (default: uct)");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Number of parallel games (default: all cores)");
  add_seed_option(app, options->request.seed);
  add_limit_options(app, options->request.limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return show_coalitions(*options); };
}

}  // namespace

const Command coalition_command = {"coalition", "Find what each set of roles can secure together",
                                   "zermelo coalition games/glove_market.kif", declare_coalition};

}  // namespace zermelo::cli
