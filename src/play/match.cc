#include "play/match.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>

#include "base/limited_steps.h"
#include "play/auto_choice.h"
#include "search/threads.h"

namespace zermelo::play {
namespace {

using Seating = std::vector<std::size_t>;  // player of each role

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t game, std::size_t role) {
  base::Random random(seed + game * 0x9e3779b97f4a7c15u + role * 0xbf58476d1ce4e5b9u);
  return random.next();
}

}  // namespace

std::string match_id(std::uint64_t seed, std::uint64_t game) {
  return "zermelo." + std::to_string(seed) + "." + std::to_string(game);
}

namespace {

class MatchRunner {
 public:
  MatchRunner(const std::shared_ptr<const search::Simulator>& simulator,
              std::vector<AgentSpec> players, const MatchOptions& options)
      : simulator_(simulator), seen_(simulator), players_(std::move(players)), options_(options) {
    if (!options.coalition) return;
    seen_ = search::make_coalition_simulator(simulator, *options.coalition);
    for (std::size_t role = 0; role < simulator->roles().size(); ++role) {
      if (options.coalition->members[role]) result_.coalition.push_back(simulator->roles()[role]);
    }
  }

  base::Result<MatchResult> run() {
    result_.roles = simulator_->roles();
    for (const AgentSpec& player : players_) result_.players.push_back(player.text);
    choose_kinds();
    result_.games.resize(options_.games);
    if (options_.keep_records) result_.records.resize(options_.games);
    search::on_threads(options_.threads, [this](std::size_t) { work(); });
    if (error_) return tl::unexpected(*error_);
    const std::uint64_t begun = std::min<std::uint64_t>(next_game_, options_.games);
    result_.games.resize(begun);
    if (options_.keep_records) result_.records.resize(begun);
    average_goals(result_);
    return std::move(result_);
  }

 private:
  // Decides once for all games what kind of player each `auto` is.
  void choose_kinds() {
    result_.choices.resize(players_.size());
    for (std::size_t i = 0; i < players_.size(); ++i) {
      if (players_[i].kind != AgentSpec::Kind::automatic) continue;
      const auto same = std::find(result_.players.begin(), result_.players.end(), players_[i].text);
      const auto first = static_cast<std::size_t>(same - result_.players.begin());
      if (first < i) {
        players_[i] = players_[first];
        result_.choices[i] = result_.choices[first];
        continue;
      }
      AutoChoice choice =
          choose_automatically(players_[i], {seen_, 0, options_.seed}, options_.limits);
      players_[i] = std::move(choice.spec);
      result_.choices[i] = std::move(choice.reason);
    }
  }

  void work() {
    try {
      for (std::uint64_t game; !is_over() && (game = next_game_++) < options_.games;) play(game);
    } catch (...) {
      is_over_ = true;
      throw;
    }
  }

  // Returns whether a limit, an error or an exception has ended the match.
  bool is_over() {
    if (const auto limit = options_.limits.exceeded()) end_at(*limit);
    return is_over_;
  }

  void end_at(base::ErrorKind limit) {
    const std::lock_guard lock(mutex_);
    result_.limit = limit;
    is_over_ = true;
  }

  // What the time limit leaves where that is less than the player would take.
  std::optional<Seconds> time_for(const AgentSpec& player) const {
    const auto left = options_.limits.time_left();
    const bool is_limited = player.simulations || player.depth;
    const Seconds usual = player.time.value_or(is_limited ? Seconds::max() : default_time);
    return left && *left < usual ? left : std::nullopt;
  }

  void play(std::uint64_t game) {
    const Seating seating = seating_of(options_.coalition ? 0 : game, players_.size());
    std::vector<std::unique_ptr<Agent>> agents;
    for (std::size_t role = 0; role < seating.size(); ++role) {
      auto agent = make_agent(players_[seating[role]],
                              {seen_, role, seed_of(options_.seed, game, seed_role(role))});
      if (!agent) return fail(agent.error());
      agents.push_back(std::move(*agent));
    }
    MatchRecord record = record_of(game, seating);
    try {
      play(agents, seating, record);
    } catch (const base::LimitReached& reached) {  // by a step of the reference engine
      if (!base::is_limit(reached.kind())) return fail({reached.kind(), reached.what()});
      end_at(reached.kind());
    }
    if (has_failed()) return;
    result_.games[game] = {seating, record.is_completed, record.goals};
    report(record);
    if (options_.keep_records) result_.records[game] = std::move(record);
  }

  // Players of one side that search have the same seed. So they search the same tree, as far as
  // their budgets are numbers of simulations, and choose moves that fit together. The sides are the
  // coalition and, if they oppose it, the others.
  std::size_t seed_role(std::size_t role) const {
    if (!options_.coalition) return role;
    const std::vector<bool>& members = options_.coalition->members;
    if (!members[role] && !options_.coalition->others_oppose) return role;
    const auto searches_for_side = [&](std::size_t r) {
      return members[r] == members[role] && players_[r].kind == AgentSpec::Kind::uct;
    };
    if (!searches_for_side(role)) return role;
    std::size_t first = 0;
    while (!searches_for_side(first)) ++first;
    return first;
  }

  void report(const MatchRecord& record) {
    const std::lock_guard lock(game_over_mutex_);
    options_.game_over(record);
  }

  MatchRecord record_of(std::uint64_t game, const Seating& seating) const {
    MatchRecord record;
    record.match_id = match_id(options_.seed, game);
    record.game = options_.game_name;
    record.roles = simulator_->roles();
    for (const std::size_t player : seating) record.players.push_back(players_[player].text);
    record.scrambled = false;
    return record;
  }

  void play(const std::vector<std::unique_ptr<Agent>>& agents, const Seating& seating,
            MatchRecord& record) {
    const auto walker = simulator_->walker();
    walker->go_to(simulator_->initial());
    for (std::size_t step = 0;; ++step) {
      const State state = walker->state();
      record.states.push_back(simulator_->fluent_names(state));
      record.errors.emplace_back(agents.size());
      if (walker->terminal()) break;
      if (step == options_.longest || is_over() || !begin_step(agents, *walker)) return;
      std::vector<Move> joint;
      for (std::size_t role = 0; role < agents.size(); ++role) {
        joint.push_back(agents[role]->choose(state, time_for(players_[seating[role]])));
        if (const auto error = agents[role]->read_error()) return fail(*error);
      }
      record.moves.emplace_back();
      for (const Move move : joint) record.moves.back().push_back(simulator_->move_name(move));
      walker->make(joint);
    }
    record.is_completed = true;
    for (std::size_t role = 0; role < agents.size(); ++role) {
      record.goals.push_back(walker->goal(role));
    }
  }

  // Agents without a choice ponder while the others choose. Returns false if a role has no legal
  // move.
  static bool begin_step(const std::vector<std::unique_ptr<Agent>>& agents,
                         search::Walker& walker) {
    for (std::size_t role = 0; role < agents.size(); ++role) {
      if (walker.legal(role).empty()) return false;
      if (walker.legal(role).size() == 1) agents[role]->ponder(walker.state());
    }
    return true;
  }

  bool has_failed() {
    const std::lock_guard lock(mutex_);
    return error_.has_value();
  }

  void fail(const base::Error& error) {
    const std::lock_guard lock(mutex_);
    error_ = error;
    is_over_ = true;
  }

  const std::shared_ptr<const search::Simulator>& simulator_;
  std::shared_ptr<const search::Simulator> seen_;  // the game with the rewards of the agents
  std::vector<AgentSpec> players_;
  const MatchOptions& options_;
  MatchResult result_;
  std::atomic<std::uint64_t> next_game_ = 0;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;  // guards result_.limit and the members below
  std::optional<base::Error> error_;
  std::mutex game_over_mutex_;
};

}  // namespace

base::Result<MatchResult> run_match(const std::shared_ptr<const search::Simulator>& simulator,
                                    const std::vector<AgentSpec>& players,
                                    const MatchOptions& options) {
  assert(players.size() == simulator->roles().size());
  return MatchRunner(simulator, players, options).run();
}

std::vector<std::size_t> seating_of(std::uint64_t game, std::size_t players) {
  Seating seating(players);
  for (std::size_t player = 0; player < players; ++player) {
    seating[(player + game) % players] = player;
  }
  return seating;
}

namespace {

double sum_of_coalition(const MatchResult& result, const PlayedGame& game) {
  double sum = 0;
  for (std::size_t role = 0; role < game.goals.size(); ++role) {
    const auto& members = result.coalition;
    const bool is_member =
        std::find(members.begin(), members.end(), result.roles[role]) != members.end();
    if (is_member) sum += game.goals[role];
  }
  return sum;
}

}  // namespace

void average_goals(MatchResult& result) {
  std::vector<std::vector<double>> goals(result.players.size());
  std::vector<double> sums;  // of the coalition
  result.completed = 0;
  for (const PlayedGame& game : result.games) {
    if (!game.is_completed) continue;
    ++result.completed;
    if (!result.coalition.empty()) sums.push_back(sum_of_coalition(result, game));
    for (std::size_t role = 0; role < game.goals.size(); ++role) {
      const std::size_t player = game.seating[role];
      if (player < goals.size()) goals[player].push_back(game.goals[role]);
    }
  }
  result.goals.clear();
  for (const auto& of_player : goals)
    result.goals.push_back(base::confidence_95(of_player, {0, 100}));
  if (result.coalition.empty()) return;
  const double most = 100.0 * static_cast<double>(result.coalition.size());
  result.coalition_sum = base::confidence_95(sums, {0, most});
}

}  // namespace zermelo::play
