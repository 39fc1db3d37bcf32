// referee GAME --player HOST:PORT...: manages matches of GGP players.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/match_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "serve/network_games.h"

namespace zermelo::cli {
namespace {

struct RefereeOptions {
  std::string path;
  std::vector<std::string> players;
  std::optional<std::uint64_t> start_clock, play_clock, games;
  std::optional<std::chrono::duration<double>> grace;
  bool scramble = false;
  std::string match_id;  // empty: derived from the start time
  std::string records;
  std::uint64_t seed = 1;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

constexpr std::uint64_t longest_clock = 100'000;

// On a terminal, replaces the progress line.
void show_log(const std::string& line) {
  if (::isatty(STDERR_FILENO) != 0) erase_line();
  write_message(fmt::format("zermelo: {}\n", line));
}

serve::NetworkGamesRequest request_of(const RefereeOptions& options) {
  serve::NetworkGamesRequest request;
  request.players = options.players;
  request.games = options.games.value_or(request.games);
  if (options.start_clock) request.start_clock = static_cast<int>(*options.start_clock);
  if (options.play_clock) request.play_clock = static_cast<int>(*options.play_clock);
  request.grace = options.grace.value_or(request.grace);
  request.scramble = options.scramble;
  request.match_id = options.match_id;
  request.game_name = std::filesystem::path(options.path).filename().string();
  request.records = options.records;
  request.keep_records = options.json;
  request.seed = options.seed;
  request.limits = options.limits;
  request.log = show_log;
  return request;
}

base::Result<ExitCode> referee(const RefereeOptions& options) {
  serve::NetworkGamesRequest request = request_of(options);
  if (const auto checked = serve::check(request); !checked) return tl::unexpected(checked.error());
  const auto rules = read_game(options.path, options.limits);
  if (!rules) return tl::unexpected(rules.error());
  request.rules = *rules;
  const auto report =
      serve::play_network_games(request, ProgressLine(options.progress, "playing").context());
  if (!report) return tl::unexpected(report.error());
  return show_match(*report, options.json);
}

Action declare_referee(CLI::App& app) {
  auto options = std::make_shared<RefereeOptions>();
  add_game_argument(app, options->path);
  add_texts_option(app, "--player", "HOST:PORT", options->players, Presence::required,
                   "Address of a player, or random; one per role");
  add_number_option(app, "--start-clock", options->start_clock, longest_clock, Presence::optional,
                    "Seconds before the first move (default: 30)");
  add_number_option(app, "--play-clock", options->play_clock, longest_clock, Presence::optional,
                    "Seconds for each move (default: 10)");
  add_duration_option(app, "--grace", options->grace,
                      "Extra time allowed for an answer (default: 1s)");
  add_games_option(app, options->games);
  add_flag(app, "--scramble", options->scramble, "Replace all names by meaningless words");
  add_text_option(app, "--match-id", "ID", options->match_id, Presence::optional,
                  "Match id, followed by a number (default: zermelo.TIME)");
  add_text_option(app, "--records", "DIR", options->records, Presence::optional,
                  "Write a record of every game into this folder");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return referee(*options); };
}

}  // namespace

const Command referee_command = {
    "referee", "Manage matches of GGP players on the network",
    "zermelo referee games/tic_tac_toe.kif --player random --player random", declare_referee};

}  // namespace zermelo::cli
