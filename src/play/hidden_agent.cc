#include "play/hidden_agent.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "know/belief.h"
#include "search/information_set_mcts.h"

namespace zermelo::play {
namespace {

using Clock = std::chrono::steady_clock;

class HiddenRandomAgent : public HiddenAgent {
 public:
  explicit HiddenRandomAgent(const HiddenSeat& seat) : random_(seat.seed) {}
  Move choose(std::span<const Move> legal, std::optional<Seconds>) override {
    return legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
  }
  void observe(Move, std::span<const base::Percept>) override {}

 private:
  base::Random random_;
};

class HiddenLegalAgent : public HiddenAgent {
 public:
  Move choose(std::span<const Move> legal, std::optional<Seconds>) override {
    return legal.front();
  }
  void observe(Move, std::span<const base::Percept>) override {}
};

// Counts simulations, and ends them after their number or time.
class SimulationBudget {
 public:
  // Of the player's budget for a move, this share.
  SimulationBudget(const AgentSpec& spec, std::optional<Seconds> time, double share = 1) {
    if (spec.simulations)
      simulations_ = static_cast<std::uint64_t>(share * static_cast<double>(*spec.simulations));
    const bool needs_time = !spec.time && !spec.simulations;
    if (!time) time = needs_time ? default_time : spec.time;
    if (time) end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(*time * share);
  }

  bool take() {
    const bool is_over = (simulations_ && taken_ >= *simulations_) ||
                         (end_ && taken_ > 0 && taken_ % 16 == 0 && Clock::now() >= *end_);
    ++taken_;
    return !is_over;
  }

 private:
  std::optional<std::uint64_t> simulations_;
  std::optional<Clock::time_point> end_;
  std::uint64_t taken_ = 0;
};

search::InformationSetOptions search_options(const AgentSpec& spec, std::uint64_t seed) {
  search::InformationSetOptions options;
  if (spec.exploration) options.exploration = *spec.exploration;
  const std::size_t memory =
      spec.memory_bytes.value_or(std::min(std::size_t{1} << 30, spec.memory_share));
  constexpr std::size_t bytes_per_set = 256;
  options.max_sets = std::max<std::size_t>(memory / bytes_per_set, 1000);
  options.seed = seed;
  return options;
}

// Searches over information sets. It expects the other players to move as its search did for them,
// so it also searches, for a share of its budget, while only the others have a choice.
class InformationSetAgent : public HiddenAgent {
 public:
  InformationSetAgent(const AgentSpec& spec, const HiddenSeat& seat)
      : spec_(spec),
        role_(seat.role),
        is_alone_(seat.machine->roles().size() - (seat.machine->game().random_role() ? 1 : 0) == 1),
        random_(seat.seed),
        belief_(seat.machine, seat.role, {.seed = seat.seed, .limits = seat.limits}),
        search_(seat.machine, search_options(spec, seat.seed)) {}

  Move choose(std::span<const Move> legal, std::optional<Seconds> time) override {
    const bool has_choice = legal.size() > 1;
    if (!has_choice && is_alone_) return legal.front();
    SimulationBudget budget(spec_, time, has_choice ? 1 : share_without_choice);
    while (budget.take()) search_.simulate(belief_.sample(random_));
    return has_choice ? choose_move(legal) : legal.front();
  }

  void observe(Move move, std::span<const base::Percept> percepts) override {
    belief_.observe(
        move, percepts,
        [this](std::size_t role, know::InformationKey information, Move made, std::size_t legal) {
          return search_.share(role, information, made, legal);
        });
  }

  const know::Belief* belief() const override { return &belief_; }

 private:
  using Statistics = search::InformationSetMcts::MoveStatistics;

  static constexpr double share_without_choice = 0.5;

  // Alone, the most visited move. Against others, the one with the best mean reward: where rewards
  // differ little, visits are nearly even, and drawing moves by visits would be random play.
  Move choose_move(std::span<const Move> legal) const {
    const auto statistics = search_.statistics(role_, belief_.worlds().front().information[role_]);
    const auto worth = [&](Move move) {
      const auto found = std::ranges::find(statistics, move, &Statistics::move);
      if (found == statistics.end() || found->visits == 0) return -1.0;
      return is_alone_ ? found->visits : found->rewards / found->visits;
    };
    return *std::ranges::max_element(legal, {}, worth);
  }

  AgentSpec spec_;
  std::size_t role_;
  bool is_alone_;  // nobody else but `random` plays
  base::Random random_;
  know::Belief belief_;
  search::InformationSetMcts search_;
};

// Samples states that fit what the role saw, searches each as if everybody knew it, and makes the
// move with the most visits in all searches.
class DeterminisingAgent : public HiddenAgent {
 public:
  DeterminisingAgent(const AgentSpec& spec, const HiddenSeat& seat)
      : spec_(spec),
        machine_(seat.machine),
        role_(seat.role),
        random_(seat.seed),
        belief_(seat.machine, seat.role, {.seed = seat.seed, .limits = seat.limits}) {}

  Move choose(std::span<const Move> legal, std::optional<Seconds> time) override {
    if (legal.size() == 1) return legal.front();
    std::vector<know::PossibleWorld> worlds;
    std::vector<search::InformationSetMcts> searches;
    search::InformationSetOptions options = search_options(spec_, random_.next());
    options.sees_state = true;
    options.max_sets /= samples;
    for (std::size_t i = 0; i < samples; ++i) {
      options.seed = random_.next();
      worlds.push_back(belief_.sample(random_));
      searches.emplace_back(machine_, options);
    }
    SimulationBudget budget(spec_, time);
    for (std::size_t i = 0; budget.take(); ++i) searches[i % samples].simulate(worlds[i % samples]);
    std::map<Move, std::uint64_t> visits;
    for (std::size_t i = 0; i < samples; ++i) {
      const auto key = search::InformationSetMcts::key_of(worlds[i].state);
      for (const auto& move : searches[i].statistics(role_, key)) visits[move.move] += move.visits;
    }
    return *std::ranges::max_element(legal, {}, [&](Move move) { return visits[move]; });
  }

  void observe(Move move, std::span<const base::Percept> percepts) override {
    belief_.observe(move, percepts);
  }
  const know::Belief* belief() const override { return &belief_; }

 private:
  static constexpr std::size_t samples = 16;

  AgentSpec spec_;
  std::shared_ptr<const machine::Machine> machine_;
  std::size_t role_;
  base::Random random_;
  know::Belief belief_;
};

}  // namespace

base::Result<std::unique_ptr<HiddenAgent>> make_hidden_agent(const AgentSpec& spec,
                                                             const HiddenSeat& seat) {
  using Kind = AgentSpec::Kind;
  switch (spec.kind) {
    case Kind::random:
      return std::make_unique<HiddenRandomAgent>(seat);
    case Kind::legal:
      return std::make_unique<HiddenLegalAgent>();
    case Kind::automatic:
    case Kind::information_sets:
      return std::make_unique<InformationSetAgent>(spec, seat);
    case Kind::determinise:
      return std::make_unique<DeterminisingAgent>(spec, seat);
    default:
      return base::fail(base::ErrorKind::not_applicable,
                        "the player " + spec.text +
                            " needs perfect information; ismcts, determinise, random and legal "
                            "play games with hidden information");
  }
}

}  // namespace zermelo::play
