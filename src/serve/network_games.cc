#include "serve/network_games.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "app/output_folder.h"
#include "app/players.h"
#include "base/quantities.h"
#include "gdl/validity.h"
#include "play/hidden_match.h"
#include "serve/referee.h"

namespace zermelo::serve {
namespace {

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

// Every run has another id unless one is given: a player may still be busy with a match of an
// earlier run.
std::string id_of_run(const std::string& given) {
  if (!given.empty()) return given;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return fmt::format("zermelo.{}",
                     std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::string match_id(const std::string& id_of_run, std::uint64_t game) {
  return fmt::format("{}.{}", id_of_run, game);
}

base::Result<std::vector<Seat>> find_players(const std::vector<std::string>& texts,
                                             std::size_t roles) {
  if (texts.size() != roles) {
    return base::fail(base::ErrorKind::invalid_request,
                      fmt::format("{} for {}", base::counted(texts.size(), "player"),
                                  base::counted(roles, "role")));
  }
  std::vector<Seat> players(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i] == "random") continue;
    auto endpoint = resolve(texts[i]);
    if (!endpoint) return tl::unexpected(endpoint.error());
    players[i] = std::move(*endpoint);
  }
  return players;
}

RefereeOptions referee_options(const NetworkGamesRequest& request, const std::string& id,
                               std::uint64_t game, const app::Context& context) {
  RefereeOptions options;
  options.match_id = match_id(id, game);
  options.game_name = request.game_name;
  options.start_clock = request.start_clock;
  options.play_clock = request.play_clock;
  options.grace = request.grace;
  options.seed = request.seed + game;
  if (request.scramble) options.scramble = options.seed;
  options.stop = context.stop;
  options.log = request.log;
  return options;
}

void add(Faults& sum, const Faults& faults) {
  sum.late += faults.late;
  sum.illegal += faults.illegal;
  sum.unreachable += faults.unreachable;
  sum.unprepared += faults.unprepared;
}

base::Result<app::Simulator> simulator_for(const NetworkGamesRequest& request, bool is_hidden,
                                           const app::Context& context) {
  const base::Limits limits = request.limits.start(context);
  if (!is_hidden) return search::make_simulator(request.rules, {limits, false});
  auto machine = app::make_hidden_machine(request.rules, limits);
  if (!machine) return tl::unexpected(machine.error());
  return search::simulator_of(std::move(*machine));
}

class NetworkGames {
 public:
  NetworkGames(const NetworkGamesRequest& request, const app::Context& context,
               std::shared_ptr<const search::Simulator> simulator, std::vector<Seat> players)
      : request_(request),
        context_(context),
        simulator_(std::move(simulator)),
        players_(std::move(players)) {
    played_.resize(simulator_->roles().size());
    std::iota(played_.begin(), played_.end(), std::size_t{0});
    if (gdl::uses_imperfect_information(*request.rules))
      played_ = play::played_roles(*simulator_->machine());
    for (const std::size_t role : played_) result_.roles.push_back(simulator_->roles()[role]);
    result_.players = request.players;
    result_.faults.emplace();
  }

  play::MatchResult run(const std::string& id, app::OutputFolder& records) {
    for (std::uint64_t game = 0; game < request_.games && !result_.limit; ++game) {
      context_.report(fmt::format("playing game {} of {}", base::grouped(game + 1),
                                  base::grouped(request_.games)));
      play_game(game, id, records);
      if (context_.stop.stop_requested()) result_.limit = base::ErrorKind::time_limit;
    }
    play::average_goals(result_);
    return std::move(result_);
  }

 private:
  void play_game(std::uint64_t game, const std::string& id, app::OutputFolder& records) {
    const std::vector<std::size_t> seating = play::seating_of(game, players_.size());
    std::vector<Seat> seats(simulator_->roles().size());
    for (std::size_t i = 0; i < played_.size(); ++i) seats[played_[i]] = players_[seating[i]];
    RefereeResult played = run_network_match(simulator_, *request_.rules, seats,
                                             referee_options(request_, id, game, context_));
    records.write(app::record_file(played.record.match_id), play::to_json(played.record));
    add(*result_.faults, played.faults);
    std::vector<int> goals;
    for (const std::size_t role : played_) {
      if (played.record.is_completed) goals.push_back(played.record.goals[role]);
    }
    result_.games.push_back({seating, played.record.is_completed, std::move(goals)});
    if (request_.keep_records) result_.records.push_back(std::move(played.record));
  }

  const NetworkGamesRequest& request_;
  const app::Context& context_;
  std::shared_ptr<const search::Simulator> simulator_;
  std::vector<Seat> players_;        // as the request lists them
  std::vector<std::size_t> played_;  // the roles that they play: all but `random` of GDL-II
  play::MatchResult result_;
};

}  // namespace

base::Result<void> check(const NetworkGamesRequest& request) {
  const auto wrong = std::find_if_not(request.players.begin(), request.players.end(), is_player);
  if (wrong != request.players.end()) {
    return base::fail(base::ErrorKind::invalid_request,
                      fmt::format("--player: expected HOST:PORT or random, got \"{}\"", *wrong));
  }
  if (request.match_id.empty() || is_match_id(request.match_id)) return {};
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("--match-id: expected letters, digits, \"-\", \"_\" and \".\", "
                                "not dots alone, got \"{}\"",
                                request.match_id));
}

base::Result<app::MatchReport> play_network_games(const NetworkGamesRequest& request,
                                                  const app::Context& context) {
  if (const auto checked = check(request); !checked) return tl::unexpected(checked.error());
  const bool is_hidden = gdl::uses_imperfect_information(*request.rules);
  const auto simulator = simulator_for(request, is_hidden, context);
  if (!simulator) return tl::unexpected(simulator.error());
  if (context.stop.stop_requested()) {
    return base::fail(base::ErrorKind::time_limit, "cancelled before the game was ready");
  }
  const std::size_t seats = is_hidden ? play::played_roles(*(*simulator)->machine()).size()
                                      : (*simulator)->roles().size();
  auto players = find_players(request.players, seats);
  if (!players) return tl::unexpected(players.error());
  const std::string id = id_of_run(request.match_id);
  auto records =
      app::OutputFolder::open_without(request.records, app::record_file(match_id(id, 0)));
  if (!records) return tl::unexpected(records.error());
  NetworkGames games(request, context, *simulator, std::move(*players));
  play::MatchResult played = games.run(id, *records);
  return app::MatchReport{std::move(played), records->written()};
}

}  // namespace zermelo::serve
