// match GAME --player SPEC... --games N: plays games between players.
#include "app/match.h"

#include <filesystem>
#include <memory>
#include <sstream>

#include "cli/cluster_option.h"
#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/match_output.h"
#include "cli/options.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct MatchOptions {
  std::string path;
  std::vector<std::string> players;
  std::optional<std::uint64_t> games;
  std::optional<std::uint64_t> threads;
  std::string coalition;  // roles, separated by commas
  std::string records;
  std::string cluster;  // the mode; empty: this process alone
  std::uint64_t seed = 1;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
  std::vector<std::string> allow;  // NAME=PATH
};

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream in(text);
  for (std::string name; std::getline(in, name, ',');) {
    if (!name.empty()) names.push_back(name);
  }
  return names;
}

app::MatchRequest request_of(const MatchOptions& options, app::Rules rules) {
  app::MatchRequest request{std::move(rules)};
  request.players = options.players;
  request.games = options.games.value_or(1);
  request.threads = options.threads;
  request.game_name = std::filesystem::path(options.path).filename().string();
  request.coalition = split_names(options.coalition);
  request.records = options.records;
  request.keep_records = options.json;
  request.seed = options.seed;
  request.limits = options.limits;
  return request;
}

base::Result<ExitCode> match(const MatchOptions& options) {
  const auto job = join_job_for(options.cluster);
  if (!job) return tl::unexpected(job.error());
  const auto rules = read_game_in(*job, options.path, options.limits, options.allow);
  if (!rules) return tl::unexpected(rules.error());
  app::MatchRequest request = request_of(options, *rules);
  request.job = *job;
  if (options.cluster == "root") request.cluster = cluster::SearchMode::root;
  const auto report = app::play_match(request, ProgressLine(options.progress, "playing").context());
  if (!report) return tl::unexpected(report.error());
  if (*job && !(*job)->is_main()) return ExitCode::success;
  return show_match(*report, options.json);
}

Action declare_match(CLI::App& app) {
  auto options = std::make_shared<MatchOptions>();
  add_game_argument(app, options->path);
  add_allow_option(app, options->allow);
  add_texts_option(app, "--player", "SPEC", options->players, Presence::optional,
                   "auto, random, uct, alphabeta, toss, plan, ismcts, perfect:FOLDER");
  add_games_option(app, options->games);
  add_text_option(app, "--coalition", "ROLE,ROLE", options->coalition, Presence::optional,
                  "Roles that play for the sum of their rewards; roles do not rotate");
  add_cluster_option(app, {"root", "tree"}, options->cluster,
                     "Under mpirun: how the players `cluster:OPTIONS` search on all ranks");
  add_number_option(app, "--threads", options->threads, 1024, Presence::optional,
                    "Number of parallel games (default: all cores)");
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
    "match", "Play games between players",
    "zermelo match games/tic_tac_toe.kif --player uct:simulations=1000 --player random --games 10",
    declare_match};

}  // namespace zermelo::cli
