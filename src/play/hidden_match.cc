#include "play/hidden_match.h"

#include <atomic>
#include <cassert>
#include <mutex>

#include "base/limited_steps.h"
#include "base/reward.h"
#include "play/hidden_agent.h"
#include "search/threads.h"

namespace zermelo::play {
namespace {

class HiddenMatchRunner {
 public:
  HiddenMatchRunner(const std::shared_ptr<const machine::Machine>& machine,
                    const std::vector<AgentSpec>& players, const MatchOptions& options)
      : machine_(machine), players_(players), options_(options), roles_(played_roles(*machine)) {}

  base::Result<MatchResult> run() {
    for (const std::size_t role : roles_) result_.roles.push_back(machine_->roles()[role]);
    result_.choices.resize(players_.size());
    for (std::size_t p = 0; p < players_.size(); ++p) {
      result_.players.push_back(players_[p].text);
      if (players_[p].kind == AgentSpec::Kind::automatic)
        result_.choices[p] = "ismcts: the game has hidden information or chance";
    }
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
  using Agents = std::vector<std::unique_ptr<HiddenAgent>>;  // by role; null for `random`

  void work() {
    try {
      for (std::uint64_t game; !is_over() && (game = next_game_++) < options_.games;)
        play_game(game);
    } catch (...) {
      is_over_ = true;
      throw;
    }
  }

  bool is_over() {
    if (const auto limit = options_.limits.exceeded()) end_at(*limit);
    return is_over_;
  }

  void end_at(base::ErrorKind limit) {
    const std::lock_guard lock(mutex_);
    result_.limit = limit;
    is_over_ = true;
  }

  void play_game(std::uint64_t game) {
    const std::vector<std::size_t> seating = player_by_role(game);
    base::Random random(options_.seed + (game + 1) * 0x9e3779b97f4a7c15u);
    Agents agents(seating.size());
    for (const std::size_t role : roles_) {
      auto agent = make_hidden_agent(players_[seating[role]],
                                     {machine_, role, random.next(), options_.limits});
      if (!agent) return fail(agent.error());
      agents[role] = std::move(*agent);
    }
    MatchRecord record = new_record(game, seating);
    try {
      follow(agents, seating, random, record);
    } catch (const base::LimitReached& reached) {
      end_at(reached.kind());
    }
    result_.games[game] = {seating_of(game, players_.size()), record.is_completed, {}};
    for (const std::size_t role : roles_) {
      if (record.is_completed) result_.games[game].goals.push_back(record.goals[role]);
    }
    {
      const std::lock_guard lock(game_over_mutex_);
      options_.game_over(record);
    }
    if (options_.keep_records) result_.records[game] = std::move(record);
  }

  // Of `random`: the number of players.
  std::vector<std::size_t> player_by_role(std::uint64_t game) const {
    std::vector<std::size_t> seating(machine_->roles().size(), players_.size());
    const std::vector<std::size_t> among_players = seating_of(game, players_.size());
    for (std::size_t i = 0; i < roles_.size(); ++i) seating[roles_[i]] = among_players[i];
    return seating;
  }

  MatchRecord new_record(std::uint64_t game, const std::vector<std::size_t>& seating) const {
    MatchRecord record;
    record.match_id = match_id(options_.seed, game);
    record.game = options_.game_name;
    record.roles = machine_->roles();
    for (const std::size_t player : seating)
      record.players.push_back(player < players_.size() ? players_[player].text : "random");
    record.scrambled = false;
    return record;
  }

  void follow(const Agents& agents, const std::vector<std::size_t>& seating, base::Random& random,
              MatchRecord& record) {
    machine::Stepper stepper(machine_);
    machine::State state = stepper.initial_state();
    for (std::size_t step = 0;; ++step) {
      record.states.push_back(stepper.fluent_names(state));
      record.errors.emplace_back(agents.size());
      if (stepper.terminal(state)) break;
      if (step == options_.longest || is_over()) return;
      const std::vector<Move> joint = joint_move(agents, seating, stepper, state, random);
      if (joint.empty()) return;
      record.moves.emplace_back();
      for (const Move move : joint) record.moves.back().push_back(machine_->move_name(move));
      for (const std::size_t role : roles_)
        agents[role]->observe(joint[role], stepper.percepts(state, joint, role));
      state = stepper.next_state(state, joint);
    }
    record.is_completed = true;
    for (std::size_t role = 0; role < agents.size(); ++role)
      record.goals.push_back(base::reward_of(stepper.goals(state, role)));
  }

  // Empty if a role has no legal move.
  std::vector<Move> joint_move(const Agents& agents, const std::vector<std::size_t>& seating,
                               machine::Stepper& stepper, const machine::State& state,
                               base::Random& random) const {
    std::vector<Move> joint;
    for (std::size_t role = 0; role < agents.size(); ++role) {
      const std::vector<Move> legal = stepper.legal_moves(state, role);
      if (legal.empty()) return {};
      joint.push_back(agents[role] != nullptr
                          ? agents[role]->choose(legal, time_for(players_[seating[role]]))
                          : legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    return joint;
  }

  // What the time limit leaves where that is less than the player would take.
  std::optional<Seconds> time_for(const AgentSpec& player) const {
    const auto left = options_.limits.time_left();
    const Seconds usual = player.time.value_or(player.simulations ? Seconds::max() : default_time);
    return left && *left < usual ? left : std::nullopt;
  }

  void fail(const base::Error& error) {
    const std::lock_guard lock(mutex_);
    error_ = error;
    is_over_ = true;
  }

  std::shared_ptr<const machine::Machine> machine_;
  const std::vector<AgentSpec>& players_;
  const MatchOptions& options_;
  std::vector<std::size_t> roles_;
  MatchResult result_;
  std::atomic<std::uint64_t> next_game_ = 0;
  std::atomic<bool> is_over_ = false;
  std::mutex mutex_;  // guards result_.limit and error_
  std::optional<base::Error> error_;
  std::mutex game_over_mutex_;
};

}  // namespace

std::vector<std::size_t> played_roles(const machine::Machine& machine) {
  std::vector<std::size_t> roles;
  for (std::uint32_t role = 0; role < machine.roles().size(); ++role) {
    if (!machine.game().is_random(role)) roles.push_back(role);
  }
  return roles;
}

base::Result<MatchResult> run_hidden_match(const std::shared_ptr<const machine::Machine>& machine,
                                           const std::vector<AgentSpec>& players,
                                           const MatchOptions& options) {
  assert(players.size() == played_roles(*machine).size());
  return HiddenMatchRunner(machine, players, options).run();
}

}  // namespace zermelo::play
