// Strategies are a certificate: what a player secures with one is what is left to it if the other
// responds best. This file computes the best responses from the rules and the stored probabilities
// alone. It shares nothing with the solver: no sequence form, no plans, no developments.
//
// The game is followed forwards, round by round. A world is a state together with what every player
// did and saw; worlds that agree in this are added up. It has two weights: for either player the
// probability that chance and the other player bring it about, as if the player itself wanted to
// get there. At the end of a game the payoff, times the weight for a player, is added to the
// information set in which the player then is. So these sums already contain everything that the
// player cannot see. Backwards from the last round, the worth of an information set is what was
// added to it, and of the moves that are legal there the one after which the information sets that
// can follow are worth most together. Players remember everything, so every information set has
// one predecessor, and this is the best response.
//
// With one player, the other is a dummy without choices. Its "best response" is then minus what
// the stored strategy earns, so the lower bound says what the strategy earns and the upper bound
// what can be earned at all.
//
// What fails: a decision without probabilities, probabilities that are not of the legal moves or do
// not add up to 1, and stored bounds that are better than the best responses permit.

#include "solve/verify/verify_strategies.h"

#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/error_name.h"
#include "base/limited_steps.h"
#include "base/reward.h"
#include "ground/ground.h"
#include "machine/perft.h"
#include "solve/folder/strategy_index.h"

namespace zermelo::solve {
namespace {

using machine::Move;

// Of sums of products of stored numbers, relative to the largest payoff.
constexpr double strategy_rounding = 1e-9;

// What one player can tell apart, with what it earns there.
struct KnownSet {
  std::uint32_t before = 0;
  std::uint32_t move = 0;                       // its number among the legal moves there
  std::uint32_t stored = StrategyIndex::none;   // the node of the stored strategy
  double earned = 0;                            // in games that end here
  std::optional<std::vector<Move>> legal = {};  // once a world of it has not ended
  std::vector<double> probabilities = {};       // of these moves
  std::vector<double> worth_of_moves = {};
};

struct StrategyWorld {
  machine::State state;
  std::array<std::uint32_t, 2> known;  // by player
  // By player, the probability that chance and the other player bring the world about.
  std::array<double, 2> weight;
};

class StrategyVerifier {
 public:
  StrategyVerifier(const StrategyFolder& folder, const VerifyOptions& options)
      : folder_(folder), options_(options), steps_(options.limits, "verifying") {}

  base::Result<Verification> run() {
    base::Result<void> read = this->read();
    if (!read && base::is_limit(read.error().kind)) return tl::unexpected(read.error());
    if (!read) {
      fail(read.error().message);
      return std::move(result_);
    }
    const auto followed = base::within_limits([&] { follow(); });
    if (!followed) return tl::unexpected(followed.error());
    if (result_.failures_found == 0) compare();
    return std::move(result_);
  }

 private:
  void fail(std::string problem) {
    ++result_.failures_found;
    if (result_.failures.size() < options_.max_failures)
      result_.failures.push_back(std::move(problem));
  }

  base::Result<void> read() {
    auto description = folder_.description();
    if (!description) return tl::unexpected(description.error());
    auto strategies = folder_.strategies();
    if (!strategies) return tl::unexpected(strategies.error());
    const auto rules = folder_.rules(options_.limits);
    if (!rules) return tl::unexpected(rules.error());
    auto game = ground::ground(*rules, {options_.limits});
    if (!game) return tl::unexpected(game.error());
    auto machine = machine::Machine::make(std::move(*game), options_.limits);
    if (!machine) return tl::unexpected(machine.error());
    description_ = std::move(*description);
    strategies_ = std::move(*strategies);
    index_.emplace(strategies_);
    stepper_.emplace(std::move(*machine));
    return check_players();
  }

  base::Result<void> check_players() {
    for (std::size_t role = 0; role < stepper_->roles().size(); ++role) {
      if (!stepper_->machine().game().is_random(static_cast<std::uint32_t>(role)))
        roles_.push_back(role);
    }
    bool fits =
        roles_.size() == description_.players.size() && roles_.size() == strategies_.players.size();
    for (std::size_t p = 0; fits && p < roles_.size(); ++p) {
      fits = description_.players[p] == stepper_->roles()[roles_[p]] &&
             strategies_.players[p].role == description_.players[p];
    }
    if (fits) return {};
    return base::fail(base::ErrorKind::unreadable_input,
                      "the players differ from those of the rules");
  }

  // ---- Forwards.

  void follow() {
    sets_.assign(2, {KnownSet{0, 0, 0}});
    if (roles_.size() == 1) sets_[1].front().stored = StrategyIndex::none;
    worlds_ = {{stepper_->initial_state(), {0, 0}, {1, 1}}};
    while (!worlds_.empty() && result_.failures_found < options_.max_failures) {
      ++rounds_;
      next_.clear();
      places_.clear();
      next_set_.fill({});
      for (const StrategyWorld& world : worlds_) {
        ++result_.states_checked;
        if (stepper_->terminal(world.state)) {
          end(world);
        } else if (!step(world)) {
          return;
        }
      }
      worlds_ = std::move(next_);
    }
  }

  void end(const StrategyWorld& world) {
    std::array<int, 2> rewards = {0, 0};
    for (std::size_t p = 0; p < roles_.size(); ++p)
      rewards[p] = base::reward_of(stepper_->goals(world.state, roles_[p]));
    const bool is_lead = description_.model == OpponentModel::difference;
    if (!is_lead && roles_.size() == 2) {
      if (sum_ && *sum_ != rewards[0] + rewards[1]) fail("the rewards have no constant sum");
      sum_ = rewards[0] + rewards[1];
    }
    const double payoff = is_lead ? rewards[0] - rewards[1] : rewards[0];
    largest_ = std::max(largest_, std::abs(payoff));
    sets_[0][world.known[0]].earned += world.weight[0] * payoff;
    sets_[1][world.known[1]].earned -= world.weight[1] * payoff;
  }

  // Returns false if the world cannot be continued.
  bool step(const StrategyWorld& world) {
    const auto legal = machine::all_legal_moves(*stepper_, world.state);
    double chances = 1;
    for (std::size_t role = 0; role < legal.size(); ++role) {
      if (legal[role].empty()) return fail("a role has no legal move"), false;
      if (std::ranges::find(roles_, role) == roles_.end())
        chances *= static_cast<double>(legal[role].size());
    }
    for (std::size_t p = 0; p < roles_.size(); ++p) {
      if (!decide(p, sets_[p][world.known[p]], legal[roles_[p]])) return false;
    }
    machine::for_each_joint_move(legal, [&](std::span<const Move> joint) {
      steps_.take();
      add(world, joint, chances);
      return true;
    });
    return true;
  }

  // Reads what the player does in this information set.
  bool decide(std::size_t player, KnownSet& set, const std::vector<Move>& legal) {
    if (set.legal) {
      if (*set.legal != legal)
        fail(description_.players[player] + " does not know its legal moves");
      return *set.legal == legal;
    }
    set.legal = legal;
    set.worth_of_moves.assign(legal.size(), 0.0);
    set.probabilities.assign(legal.size(), 1.0);
    if (legal.size() == 1) return true;
    ++decisions_;
    const auto choices = set.stored == StrategyIndex::none
                             ? std::vector<StoredStrategy::Choice>()
                             : strategies_.players[player].nodes[set.stored].choices;
    double total = 0;
    bool fits = choices.size() == legal.size();
    for (std::size_t m = 0; fits && m < legal.size(); ++m) {
      fits = strategies_.terms[choices[m].move] == stepper_->move_name(legal[m]);
      total += set.probabilities[m] = choices[m].probability;
    }
    if (fits && std::abs(total - 1) < strategy_rounding) return true;
    fail(fmt::format("{} in round {}: {}", description_.players[player], rounds_ - 1,
                     choices.empty() ? "a decision has no strategy"
                     : !fits         ? "the strategy is not over the legal moves"
                                     : "the probabilities do not add up to 1"));
    return false;
  }

  void add(const StrategyWorld& world, std::span<const Move> joint, double chances) {
    std::array<double, 2> made = {1, 1};  // the probability of the player's move
    std::array<std::uint32_t, 2> known = {0, 0};
    for (std::size_t p = 0; p < 2; ++p) {
      const std::uint32_t before = world.known[p];
      if (p >= roles_.size()) {
        known[p] = set_after(p, before, 0, 0, {});
        continue;
      }
      const auto& legal = *sets_[p][before].legal;
      const auto number = std::ranges::find(legal, joint[roles_[p]]) - legal.begin();
      made[p] = sets_[p][before].probabilities[static_cast<std::size_t>(number)];
      known[p] = set_after(p, before, static_cast<std::uint32_t>(number), joint[roles_[p]],
                           stepper_->percepts(world.state, joint, roles_[p]));
    }
    StrategyWorld next{stepper_->next_state(world.state, joint),
                       known,
                       {world.weight[0] * made[1] / chances, world.weight[1] * made[0] / chances}};
    auto& same = places_[next.state];
    const auto [place, is_new] = same.try_emplace(known, next_.size());
    if (is_new) {
      next_.push_back(std::move(next));
    } else {
      for (std::size_t p = 0; p < 2; ++p) next_[place->second].weight[p] += next.weight[p];
    }
  }

  std::uint32_t set_after(std::size_t player, std::uint32_t before, std::uint32_t number, Move move,
                          std::vector<base::Percept> percepts) {
    auto& sets = sets_[player];
    std::sort(percepts.begin(), percepts.end());
    const auto [entry, is_new] = next_set_[player].try_emplace(
        {before, number, percepts}, static_cast<std::uint32_t>(sets.size()));
    if (!is_new) return entry->second;
    std::uint32_t stored = StrategyIndex::none;
    if (player < roles_.size()) {
      std::vector<std::string> names;
      for (const base::Percept percept : percepts) names.push_back(stepper_->percept_name(percept));
      stored =
          index_->after(player, sets[before].stored, stepper_->move_name(move), std::move(names));
    } else if (!sets[before].legal) {
      sets[before].legal = {0};
      sets[before].worth_of_moves = {0};
    }
    sets.push_back({before, number, stored});
    return entry->second;
  }

  // ---- Backwards.

  // What a best response of the player earns.
  double best_response(std::size_t player) {
    auto& sets = sets_[player];
    for (std::size_t s = sets.size(); s-- > 0;) {
      double worth = sets[s].earned;
      const auto& moves = sets[s].worth_of_moves;
      if (!moves.empty()) worth += *std::ranges::max_element(moves);
      if (s == 0) return worth;
      sets[sets[s].before].worth_of_moves[sets[s].move] += worth;
    }
    return 0;
  }

  void compare() {
    StrategyCheck check;
    check.players = description_.players;
    check.rounds = rounds_ - 1;
    check.worlds = result_.states_checked;
    check.decisions = decisions_;
    const double high = best_response(0), low = -best_response(1);
    const double sum = sum_.value_or(0);
    check.low = {low, sum - high};
    check.high = {high, sum - low};
    check.low.resize(roles_.size());
    check.high.resize(roles_.size());
    const double tolerance = strategy_rounding * std::max(1.0, largest_);
    for (std::size_t p = 0; p < roles_.size(); ++p) {
      const bool holds = description_.low[p] <= check.low[p] + tolerance &&
                         description_.high[p] >= check.high[p] - tolerance;
      if (!holds) {
        fail(fmt::format("{}: the stored bounds are {} and {}; best responses prove {} and {}",
                         check.players[p], description_.low[p], description_.high[p], check.low[p],
                         check.high[p]));
      }
    }
    if (roles_.size() == 1) compare_exact(high, tolerance);
    if (description_.exploitability < (high - low) / 2 - tolerance)
      fail("the stored exploitability is too small");
    result_.exhaustive = true;
    result_.states = result_.layer_states = std::to_string(result_.states_checked);
    result_.strategies = std::move(check);
  }

  // The stored fraction, up to the rounding of this computation.
  void compare_exact(double best, double tolerance) {
    mpq_class stored;
    const bool is_fraction = stored.set_str(description_.exact_value, 10) == 0;
    if (is_fraction && stored.get_den() != 0 && std::abs(stored.get_d() - best) <= tolerance)
      return;
    fail(fmt::format("the stored value is {}; a best response earns {}", description_.exact_value,
                     best));
  }

  const StrategyFolder& folder_;
  const VerifyOptions& options_;
  base::LimitedSteps steps_;
  StrategyDescription description_;
  StoredStrategies strategies_;
  std::optional<StrategyIndex> index_;
  std::optional<machine::Stepper> stepper_;
  std::vector<std::size_t> roles_;            // by player
  std::vector<std::vector<KnownSet>> sets_;   // by player; one after the one before it
  std::vector<StrategyWorld> worlds_, next_;  // of this round and of the next one
  std::unordered_map<machine::State, std::map<std::array<std::uint32_t, 2>, std::size_t>> places_;
  // By player, the information sets of the next round.
  std::array<
      std::map<std::tuple<std::uint32_t, std::uint32_t, std::vector<base::Percept>>, std::uint32_t>,
      2>
      next_set_;
  std::optional<int> sum_;
  double largest_ = 0;
  std::uint64_t rounds_ = 0, decisions_ = 0;
  Verification result_;
};

}  // namespace

base::Result<Verification> verify_strategies(const StrategyFolder& folder,
                                             const VerifyOptions& options) {
  return StrategyVerifier(folder, options).run();
}

}  // namespace zermelo::solve
