// match GAME --player SPEC... --games N: players against each other.
#include "play/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/command.h"
#include "cli/json_output.h"
#include "cli/match_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/output_folder.h"
#include "cli/player_options.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string path;
  std::vector<std::string> players;
  std::optional<std::uint64_t> games;
  std::optional<std::uint64_t> threads;
  std::string records;
  std::uint64_t seed = 1;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

play::MatchOptions match_options(const Options& options) {
  play::MatchOptions result;
  result.games = options.games.value_or(1);
  result.seed = options.seed;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  result.threads = std::max(1u, static_cast<unsigned>(options.threads.value_or(cores)));
  result.game_name = std::filesystem::path(options.path).filename().string();
  return result;
}

// Of the memory that is left beside the game, for each agent of the games that are played at the
// same time.
std::size_t memory_share(const LimitOptions& limits, const play::MatchOptions& options,
                         std::size_t roles) {
  const std::uint64_t games = std::min<std::uint64_t>(options.games, options.threads);
  return limits.memory_left() / std::max<std::size_t>(games * roles, 1);
}

base::Result<ExitCode> match(const Options& options) {
  const base::Limits time(options.limits.time, std::nullopt);  // the agents keep their memory
  const auto engine = read_engine(options.path, options.limits);
  if (!engine) return tl::unexpected(engine.error());
  const std::size_t roles = (*engine)->roles().size();
  auto players = read_players(options.players, roles);
  if (!players) return ExitCode::usage;
  auto records =
      OutputFolder::open_without(options.records, record_file(play::match_id(options.seed, 0)));
  if (!records) return tl::unexpected(records.error());
  play::MatchOptions games = match_options(options);
  games.limits = time;
  games.keep_records = options.json;
  games.game_over = [&](const play::MatchRecord& record) {
    records->write(record_file(record.match_id), play::to_json(record));
  };
  for (play::AgentSpec& player : *players) {
    player.memory_share = memory_share(options.limits, games, roles);
  }
  const auto result = [&] {
    const ProgressLine progress(options.progress, "playing");
    return play::run_match(*engine, *players, games);
  }();
  if (!result) return tl::unexpected(result.error());
  if (options.json) {
    write_json(match_json(*result));
  } else {
    write_answer(match_text(*result));
  }
  if (!result->limit) return records->end(ExitCode::success);
  write_message(fmt::format("zermelo: {}\n", limit_message));
  return records->end(exit_code_of(*result->limit));
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_texts_option(app, "--player", "SPEC", options->players, Presence::optional,
                   "random, legal, uct, alphabeta or perfect:FOLDER, for each role in turn");
  add_games_option(app, options->games);
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Games at the same time (default: all cores)");
  add_text_option(app, "--records", "DIR", options->records, Presence::optional,
                  "Write a record of every game into this folder");
  add_seed_option(app, options->seed);
  add_limit_options(app, options->limits);
  add_progress_option(app, options->progress);
  add_json_option(app, options->json);
  return [options] { return match(*options); };
}

}  // namespace

const Command match_command = {
    "match", "Let players play against each other",
    "zermelo match games/tic_tac_toe.kif --player uct:simulations=1000 --player random --games 10",
    declare};

}  // namespace zermelo::cli
