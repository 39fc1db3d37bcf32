// referee GAME --player HOST:PORT...: a game manager for GGP players.
#include "serve/referee.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/game_input.h"
#include "cli/json_output.h"
#include "cli/match_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/output_folder.h"
#include "cli/progress.h"

namespace zermelo::cli {
namespace {

struct Options {
  std::string path;
  std::vector<std::string> players;
  std::optional<std::uint64_t> start_clock, play_clock, games;
  std::optional<std::chrono::duration<double>> grace;
  bool scramble = false;
  std::string match_id;  // empty: by the time of the start
  std::string records;
  std::uint64_t seed = 1;
  LimitOptions limits;
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;
};

constexpr std::uint64_t longest_clock = 100'000;

// The outcome of all games.
struct Outcome {
  play::MatchResult result;
  serve::Faults faults;
};

// Match ids are words of messages and names of files.
bool is_match_id(const std::string& text) {
  constexpr std::string_view others = "-_.";
  const auto is_allowed = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != others.npos;
  };
  return text.find_first_not_of('.') != text.npos &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

// HOST:PORT, or `random`.
bool is_player(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (text == "random" || colon == text.npos) return text == "random";
  const std::string port = text.substr(colon + 1);
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  return colon > 0 && error == std::errc() && end == port.data() + port.size() && number > 0;
}

// Shows on standard error what is wrong with them.
bool are_right(const Options& options) {
  const auto wrong = std::find_if_not(options.players.begin(), options.players.end(), is_player);
  if (wrong != options.players.end()) {
    write_message(
        fmt::format("zermelo: --player: expected HOST:PORT or random, got \"{}\"\n", *wrong));
    return false;
  }
  if (options.match_id.empty() || is_match_id(options.match_id)) return true;
  write_message(
      fmt::format("zermelo: --match-id: expected letters, digits, \"-\", \"_\" and \".\", not dots "
                  "alone, got \"{}\"\n",
                  options.match_id));
  return false;
}

// What the ids of all matches of this run begin with. Without --match-id another one for each run:
// a player may still be busy with a match of an earlier one.
std::string id_of_run(const Options& options) {
  if (!options.match_id.empty()) return options.match_id;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("zermelo.{}",
                     std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::string match_id(const std::string& id_of_run, std::uint64_t game) {
  return fmt::format("{}.{}", id_of_run, game);
}

// On a terminal the line takes the place of the progress line.
void show_log(const std::string& line) {
  const char* const erase = ::isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";
  write_message(fmt::format("{}zermelo: {}\n", erase, line));
}

// The players of the command line; `random` is played by the referee.
base::Result<std::vector<serve::Seat>> read_players(const std::vector<std::string>& texts) {
  std::vector<serve::Seat> players;
  for (const std::string& text : texts) {
    if (text == "random") {
      players.emplace_back();
      continue;
    }
    auto endpoint = serve::resolve(text);
    if (!endpoint) return tl::unexpected(endpoint.error());
    players.emplace_back(std::move(*endpoint));
  }
  return players;
}

serve::RefereeOptions referee_options(const Options& options, const std::string& id,
                                      std::uint64_t game) {
  serve::RefereeOptions result;
  result.match_id = match_id(id, game);
  result.game_name = std::filesystem::path(options.path).filename().string();
  result.start_clock = static_cast<int>(options.start_clock.value_or(30));
  result.play_clock = static_cast<int>(options.play_clock.value_or(10));
  if (options.grace) result.grace = *options.grace;
  result.seed = options.seed + game;
  if (options.scramble) result.scramble = result.seed;
  result.log = show_log;
  return result;
}

void add(serve::Faults& sum, const serve::Faults& faults) {
  sum.late += faults.late;
  sum.illegal += faults.illegal;
  sum.unreachable += faults.unreachable;
  sum.unprepared += faults.unprepared;
}

Outcome play_games(const Options& options, const std::shared_ptr<const search::Simulator>& engine,
                   const gdl::Rulesheet& rules, const std::vector<serve::Seat>& players,
                   const std::string& id, OutputFolder& records) {
  ProgressLine progress(options.progress, "playing");
  Outcome outcome;
  outcome.result.roles = engine->roles();
  outcome.result.players = options.players;
  const std::uint64_t games = options.games.value_or(1);
  for (std::uint64_t game = 0; game < games; ++game) {
    progress.say(fmt::format("playing game {} of {}", grouped(game + 1), grouped(games)));
    const std::vector<std::size_t> seating = play::seating_of(game, players.size());
    std::vector<serve::Seat> seats;
    for (const std::size_t player : seating) seats.push_back(players[player]);
    serve::RefereeResult played =
        serve::run_network_match(engine, rules, seats, referee_options(options, id, game));
    records.write(record_file(played.record.match_id), play::to_json(played.record));
    add(outcome.faults, played.faults);
    outcome.result.games.push_back({seating, played.record.is_completed, played.record.goals});
    if (options.json) outcome.result.records.push_back(std::move(played.record));
  }
  play::average_goals(outcome.result);
  return outcome;
}

void show(const Outcome& outcome, bool json) {
  const serve::Faults& faults = outcome.faults;
  if (json) {
    nlohmann::ordered_json object = match_json(outcome.result);
    object["faults"] = {{"late", faults.late},
                        {"illegal", faults.illegal},
                        {"unreachable", faults.unreachable},
                        {"unprepared", faults.unprepared}};
    return write_json(object);
  }
  write_answer(match_text(outcome.result) +
               fmt::format("moves late {}, illegal {}, not received {}; players not ready {}\n",
                           faults.late, faults.illegal, faults.unreachable, faults.unprepared));
}

base::Result<ExitCode> referee(const Options& options) {
  if (!are_right(options)) return ExitCode::usage;
  const auto rules = read_game(options.path);
  if (!rules) return tl::unexpected(rules.error());
  const auto engine = search::make_simulator(*rules, {options.limits.start({}), false});
  if (!engine) return tl::unexpected(engine.error());
  const std::size_t wanted = (*engine)->roles().size();
  if (options.players.size() != wanted) {
    write_message(fmt::format("zermelo: {} for {}\n", counted(options.players.size(), "player"),
                              counted(wanted, "role")));
    return ExitCode::usage;
  }
  const auto players = read_players(options.players);
  if (!players) return tl::unexpected(players.error());
  const std::string id = id_of_run(options);
  auto records = OutputFolder::open_without(options.records, record_file(match_id(id, 0)));
  if (!records) return tl::unexpected(records.error());
  show(play_games(options, *engine, **rules, *players, id, *records), options.json);
  return records->end(ExitCode::success);
}

Action declare(CLI::App& app) {
  auto options = std::make_shared<Options>();
  add_game_argument(app, options->path);
  add_texts_option(app, "--player", "HOST:PORT", options->players, Presence::required,
                   "Where a player listens, or random; once for each role");
  add_number_option(app, "--start-clock", options->start_clock, longest_clock, Presence::optional,
                    "Seconds before the first move (default: 30)");
  add_number_option(app, "--play-clock", options->play_clock, longest_clock, Presence::optional,
                    "Seconds for each move (default: 10)");
  add_duration_option(app, "--grace", options->grace,
                      "How much later an answer may come (default: 1s)");
  add_games_option(app, options->games);
  add_flag(app, "--scramble", options->scramble, "Replace all names by meaningless words");
  add_text_option(app, "--match-id", "ID", options->match_id, Presence::optional,
                  "What matches are called, a number follows (default: zermelo.TIME)");
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
    "zermelo referee games/tic_tac_toe.kif --player random --player random", declare};

}  // namespace zermelo::cli
