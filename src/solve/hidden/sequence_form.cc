// Builds the sequence form (von Stengel 1996; Koller, Megiddo and von Stengel 1996) from the rounds
// of know::Developments.
//
// The expected payoff of two strategies is the sum over all terminal developments of
// c(d) x(s) y(t) u(d): c(d) is the probability of the choices of `random` in d, x(s) and y(t) are
// the weights of the players' sequences in d, and u(d) is the payoff. A world merges developments
// with the same state and the same information of every player, hence with the same sequences and
// the same payoff. So it is enough to know for every world the sum of c over its developments: that
// of its predecessors, divided by the number of moves that `random` has there. Terminal worlds with
// the same pair of sequences are added up, and what is left of the game is a sparse matrix and two
// trees of decisions. No history is stored.
//
// An information set with a single legal move is no decision. Its move does not extend the
// sequence, so waiting for the other player costs nothing.
//
// Two players with a constant sum c of rewards: the payoff is the reward minus c/2, so that draws
// vanish from the matrix. With the model `difference` the payoff is the lead, and any two rewards
// will do. One player: the payoff is its reward.

#include "solve/hidden/sequence_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

#include "base/limited_steps.h"
#include "base/reward.h"
#include "solve/common/refused_state.h"

namespace zermelo::solve {

class SequenceFormBuilder {
 public:
  SequenceFormBuilder(std::shared_ptr<const machine::Machine> machine, OpponentModel model,
                      const base::Limits& limits)
      : machine_(std::move(machine)),
        model_(model),
        developments_(std::make_shared<know::Developments>(
            machine_, know::DevelopmentsOptions{true, limits})),
        steps_(limits, "building the sequence form"),
        cursor_(machine_) {}

  base::Result<SequenceForm> run() {
    const std::size_t players = developments_->agents().size();
    if (players == 0 || players > 2) return refuse_players(players);
    base::Result<void> built;
    const auto ended = base::within_limits([&] { built = build(); });
    if (!ended) return tl::unexpected(ended.error());
    if (!built) return tl::unexpected(built.error());
    if (players == 2 && model_ == OpponentModel::own && smallest_sum_->sum != largest_sum_->sum)
      return refuse_sums();
    finish();
    return std::move(form_);
  }

 private:
  // A state of the last round.
  struct Situation {
    bool terminal = false;
    std::array<int, 2> rewards = {};               // if terminal
    std::array<std::vector<know::Move>, 2> legal;  // if not, by player
    double chances = 1;                            // the number of moves of `random`
  };
  // Rewards of a terminal state.
  struct Sum {
    int sum;
    std::array<int, 2> rewards;
  };
  struct WeightedEntry {
    std::uint32_t row, column;
    double probability, payoff;
  };
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  std::size_t players() const { return developments_->agents().size(); }

  base::Error refuse_text(const std::string& reason) const {
    return {base::ErrorKind::not_applicable, reason};
  }

  base::Result<SequenceForm> refuse_players(std::size_t players) const {
    return tl::unexpected(refuse_text(fmt::format(
        "games with hidden information are solved for one or two players; this one has {}",
        players)));
  }

  base::Result<SequenceForm> refuse_sums() const {
    const auto text = [](const Sum& sum) {
      return fmt::format("{} + {}", sum.rewards[0], sum.rewards[1]);
    };
    return tl::unexpected(refuse_text(fmt::format(
        "games of two players with hidden information are solved if their rewards have a constant "
        "sum; the rewards {} and {} occur (--model difference maximises the lead instead)",
        text(*smallest_sum_), text(*largest_sum_))));
  }

  base::Result<void> build() {
    chance_ = {1.0};
    for (std::size_t player = 0; player < players(); ++player) sequence_of_[player] = {0};
    for (;;) {
      const know::Round& round = developments_->last();
      if (auto looked = look(round); !looked) return looked;
      if (auto decided = add_decisions(round); !decided) return decided;
      add_terminal_worlds(round);
      std::vector<double> share(round.worlds.size());
      for (std::size_t w = 0; w < share.size(); ++w)
        share[w] = chance_[w] / situations_[round.worlds[w].state].chances;
      const auto more = developments_->advance();
      if (!more) return tl::unexpected(more.error());
      if (!*more) return {};
      follow(share);
    }
  }

  base::Result<void> look(const know::Round& round) {
    situations_.assign(round.states.size(), {});
    for (std::size_t s = 0; s < round.states.size(); ++s) {
      steps_.take();
      cursor_.reset(round.states[s]);
      Situation& situation = situations_[s];
      situation.terminal = cursor_.terminal();
      if (situation.terminal) {
        read_rewards(situation);
      } else if (auto moves = read_moves(round.states[s], situation); !moves) {
        return moves;
      }
    }
    return {};
  }

  void read_rewards(Situation& situation) {
    for (std::size_t player = 0; player < players(); ++player)
      situation.rewards[player] = base::reward_of(cursor_.goals(developments_->agents()[player]));
    const Sum sum{situation.rewards[0] + situation.rewards[1], situation.rewards};
    if (!smallest_sum_ || sum.sum < smallest_sum_->sum) smallest_sum_ = sum;
    if (!largest_sum_ || sum.sum > largest_sum_->sum) largest_sum_ = sum;
  }

  base::Result<void> read_moves(const machine::State& state, Situation& situation) {
    const auto& agents = developments_->agents();
    for (std::uint32_t role = 0; role < machine_->roles().size(); ++role) {
      const auto legal = cursor_.legal(role);
      if (legal.empty()) {
        return tl::unexpected(refused_state(
            machine_->roles()[role] + " has no legal move in the state", state, machine_->game()));
      }
      const auto agent = std::find(agents.begin(), agents.end(), role);
      if (agent == agents.end()) {
        situation.chances *= static_cast<double>(legal.size());
      } else {
        situation.legal[static_cast<std::size_t>(agent - agents.begin())].assign(legal.begin(),
                                                                                 legal.end());
      }
    }
    return {};
  }

  base::Result<void> add_decisions(const know::Round& round) {
    for (std::size_t player = 0; player < players(); ++player) {
      const std::size_t sets = round.information_set_count(player);
      std::vector<const std::vector<know::Move>*> legal(sets, nullptr);
      for (std::size_t w = 0; w < round.worlds.size(); ++w) {
        steps_.take();
        const Situation& situation = situations_[round.worlds[w].state];
        if (situation.terminal) continue;
        const auto*& known = legal[round.information[player][w]];
        if (known != nullptr && *known != situation.legal[player]) return refuse_unknown(player);
        known = &situation.legal[player];
      }
      decision_of_[player].assign(sets, none);
      for (std::uint32_t set = 0; set < sets; ++set) {
        if (legal[set] != nullptr && legal[set]->size() > 1) add_decision(player, set, *legal[set]);
      }
    }
    return {};
  }

  base::Result<void> refuse_unknown(std::size_t player) const {
    return tl::unexpected(refuse_text(fmt::format(
        "{} does not always know its legal moves (check --knowledge shows where), so the game has "
        "no strategies",
        developments_->agent_name(player))));
  }

  void add_decision(std::size_t player, std::uint32_t set, const std::vector<know::Move>& moves) {
    auto& decisions = form_.decisions_[player];
    decision_of_[player][set] = static_cast<std::uint32_t>(decisions.size());
    decisions.push_back({sequence_of_[player][set],
                         static_cast<std::uint32_t>(form_.sequences_[player]), moves,
                         static_cast<std::uint32_t>(developments_->rounds() - 1), set});
    form_.sequences_[player] += moves.size();
  }

  void add_terminal_worlds(const know::Round& round) {
    form_.worlds_ += round.worlds.size();
    for (std::size_t w = 0; w < round.worlds.size(); ++w) {
      const Situation& situation = situations_[round.worlds[w].state];
      if (!situation.terminal) continue;
      ++form_.terminal_worlds_;
      std::array<std::uint32_t, 2> sequences = {0, 0};
      for (std::size_t player = 0; player < players(); ++player)
        sequences[player] = sequence_of_[player][round.information[player][w]];
      const double payoff = payoff_of(situation.rewards);
      smallest_ = std::min(smallest_, payoff);
      largest_ = std::max(largest_, payoff);
      entries_.push_back({sequences[0], sequences[1], chance_[w], chance_[w] * payoff});
    }
  }

  double payoff_of(const std::array<int, 2>& rewards) const {
    return model_ == OpponentModel::difference ? rewards[0] - rewards[1] : rewards[0];
  }

  // To the round that was added last.
  void follow(const std::vector<double>& share) {
    const know::Round& round = developments_->last();
    chance_.assign(round.worlds.size(), 0.0);
    for (const know::Developments::Edge& edge : developments_->edges())
      chance_[edge.to] += share[edge.from];
    for (std::size_t player = 0; player < players(); ++player) {
      std::vector<std::uint32_t> next;
      for (const know::InformationSet& set : round.information_sets[player]) {
        steps_.take();
        next.push_back(sequence_after(player, set));
      }
      sequence_of_[player] = std::move(next);
    }
  }

  std::uint32_t sequence_after(std::size_t player, const know::InformationSet& set) const {
    const std::uint32_t number = decision_of_[player][set.before];
    if (number == none) return sequence_of_[player][set.before];
    const Decision& decision = form_.decisions_[player][number];
    const auto move = std::find(decision.moves.begin(), decision.moves.end(), set.move);
    return decision.first + static_cast<std::uint32_t>(move - decision.moves.begin());
  }

  void finish() {
    const bool has_sum = players() == 2 && model_ == OpponentModel::own;
    form_.offset_ = has_sum && smallest_sum_ ? smallest_sum_->sum / 2.0 : 0.0;
    if (!entries_.empty()) {
      form_.smallest_ = smallest_ - form_.offset_;
      form_.largest_ = largest_ - form_.offset_;
    }
    const auto key = [](const WeightedEntry& entry) { return std::tie(entry.row, entry.column); };
    std::sort(entries_.begin(), entries_.end(),
              [&](const auto& a, const auto& b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < entries_.size();) {
      WeightedEntry sum = entries_[i];
      for (++i; i < entries_.size() && key(entries_[i]) == key(sum); ++i) {
        sum.probability += entries_[i].probability;
        sum.payoff += entries_[i].payoff;
      }
      const double payoff = sum.payoff - form_.offset_ * sum.probability;
      if (payoff != 0) form_.entries_.push_back({sum.row, sum.column, payoff});
    }
    form_.developments_ = developments_;
  }

  std::shared_ptr<const machine::Machine> machine_;
  OpponentModel model_;
  std::shared_ptr<know::Developments> developments_;
  base::LimitedSteps steps_;
  machine::Cursor cursor_;
  SequenceForm form_;
  std::vector<Situation> situations_;                      // by state of the last round
  std::vector<double> chance_;                             // by world of the last round
  std::array<std::vector<std::uint32_t>, 2> sequence_of_;  // by player and information set
  std::array<std::vector<std::uint32_t>, 2> decision_of_;  // the same; none: no choice
  std::vector<WeightedEntry> entries_;                     // one per terminal world
  std::optional<Sum> smallest_sum_, largest_sum_;
  double smallest_ = std::numeric_limits<double>::infinity(), largest_ = -smallest_;
};

base::Result<SequenceForm> SequenceForm::make(std::shared_ptr<const machine::Machine> machine,
                                              OpponentModel model, const base::Limits& limits) {
  return SequenceFormBuilder(std::move(machine), model, limits).run();
}

double SequenceForm::rounding_error() const {
  const double largest = std::max(std::abs(smallest_), std::abs(largest_));
  const auto operations = static_cast<double>(terminal_worlds_ + sequences_[0] + sequences_[1] +
                                              4 * developments_->rounds());
  return largest * operations * std::numeric_limits<double>::epsilon();
}

Plan SequenceForm::uniform_plan(std::size_t player) const {
  Plan plan(sequences_[player], 0.0);
  normalise(player, plan);
  return plan;
}

void SequenceForm::earnings(std::size_t player, std::span<const double> other, Plan& result) const {
  result.assign(sequences_[player], 0.0);
  if (player == 0) {
    for (const Entry& entry : entries_) result[entry.row] += entry.payoff * other[entry.column];
  } else {
    for (const Entry& entry : entries_) result[entry.column] -= entry.payoff * other[entry.row];
  }
}

void SequenceForm::normalise(std::size_t player, Plan& plan) const {
  plan[0] = 1;
  // The weight before a decision is corrected first, because decisions are in the order of rounds.
  for (const Decision& decision : decisions_[player]) {
    const std::vector<double> probability = probabilities(decision, plan);
    for (std::size_t m = 0; m < probability.size(); ++m)
      plan[decision.first + m] = plan[decision.before] * probability[m];
  }
}

std::vector<double> SequenceForm::probabilities(const Decision& decision, const Plan& plan) const {
  std::vector<double> result(decision.moves.size());
  double sum = 0;
  for (std::size_t m = 0; m < result.size(); ++m)
    sum += result[m] = std::max(plan[decision.first + m], 0.0);
  for (double& probability : result)
    probability = sum > 0 ? probability / sum : 1.0 / static_cast<double>(result.size());
  return result;
}

const Decision* SequenceForm::decision_with(std::size_t player, std::uint32_t sequence) const {
  const auto after = std::upper_bound(
      decisions_[player].begin(), decisions_[player].end(), sequence,
      [](std::uint32_t number, const Decision& decision) { return number < decision.first; });
  return after == decisions_[player].begin() ? nullptr : &*std::prev(after);
}

std::vector<SequenceForm::Memory> SequenceForm::memory(std::size_t player,
                                                       const Decision& decision) const {
  const machine::Machine& machine = developments_->machine();
  std::vector<Memory> memory;
  std::uint32_t set = decision.information, sequence = decision.before;
  for (std::size_t round = decision.round; round > 0; --round) {
    const know::InformationSet& known = developments_->round(round).information_sets[player][set];
    const Decision* const last_choice = decision_with(player, sequence);
    const bool had_choice = last_choice != nullptr && last_choice->round == round - 1;
    if (had_choice) sequence = last_choice->before;
    Memory& last = memory.emplace_back(Memory{machine.move_name(known.move), had_choice, {}});
    for (const base::Percept percept : developments_->percepts(known.percepts))
      last.percepts.push_back(machine.game().percept_name(percept));
    set = known.before;
  }
  std::reverse(memory.begin(), memory.end());
  return memory;
}

}  // namespace zermelo::solve
