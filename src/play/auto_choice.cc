// The decision goes from what is certain to what has to be tried:
//
// 1. Games that could not be grounded are played by UCT on the reference engine, games of one role
//    by the planner, and games in which roles move at the same time by UCT.
// 2. A game with few states is solved, and played perfectly.
// 3. Otherwise candidates play short games against UCT from random openings, in changing roles:
//    alpha-beta and UCT, each with an evaluator. All get the same small time per move. Each plays a
//    few games; then the best of them plays on until the time is over. It is chosen if it scores
//    clearly more than half.
//
// Results at a few milliseconds per move say less about longer times, and few games say little. So
// the score that a candidate needs is higher, the fewer games it has played.
#include "play/auto_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "search/make_evaluator.h"
#include "search/random_move.h"
#include "solve/explicit/distance.h"
#include "solve/explicit/explicit_solver.h"

namespace zermelo::play {
namespace {

using Clock = std::chrono::steady_clock;

constexpr solve::StateIndex max_solved_states = 300'000;
constexpr std::size_t first_games = 4;  // of every candidate
constexpr std::size_t longest_game = 400;

// The values of a solved game.
class SolvedGame : public eval::StateValues {
 public:
  SolvedGame(solve::ExplicitSolution solution, std::vector<eval::Distance> distances)
      : solution_(std::move(solution)), distances_(std::move(distances)) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    auto rewards = solution_.value(state);
    return rewards && !rewards->empty() ? rewards : std::nullopt;
  }
  std::optional<eval::Distance> distance(const machine::State& state) const override {
    const auto index = solution_.graph().states.find(state.words());
    return index ? std::optional(distances_[*index]) : std::nullopt;
  }

 private:
  solve::ExplicitSolution solution_;
  std::vector<eval::Distance> distances_;
};

std::shared_ptr<const eval::StateValues> solve_if_small(const search::Simulator& simulator,
                                                        const base::Limits& limits) {
  auto solution = solve::solve_explicit_up_to(max_solved_states, simulator.machine(),
                                              {eval::OpponentModel::own, limits});
  if (!solution || !*solution) return nullptr;
  auto distances = solve::distances((*solution)->graph(), (*solution)->values(), limits);
  if (!distances) return nullptr;
  return std::make_shared<const SolvedGame>(std::move(**solution), std::move(*distances));
}

struct Candidate {
  AgentSpec spec;
  double points = 0;  // 1 for a win, 0.5 for a draw
  std::size_t games = 0;

  double score() const { return games == 0 ? 0.5 : points / static_cast<double>(games); }
  // The score less the uncertainty of so few games.
  double secure_score() const {
    return games == 0 ? 0 : score() - 0.5 / std::sqrt(static_cast<double>(games));
  }
};

class Tournament {
 public:
  Tournament(const AgentSpec& incumbent, const Seat& seat, const base::Limits& limits,
             Seconds time_per_move)
      : incumbent_(incumbent),
        simulator_(seat.simulator),
        limits_(limits),
        time_(time_per_move),
        random_(seat.seed),
        walker_(simulator_->walker()) {}

  void add(const AgentSpec& spec) { candidates_.push_back({spec}); }

  // Returns the best candidate, if there is any.
  const Candidate* run() {
    for (std::size_t round = 0; round < first_games; ++round) {
      for (Candidate& candidate : candidates_) {
        if (!play(candidate)) return best();
      }
    }
    while (Candidate* const candidate = best()) {
      if (candidate->score() < 0.4 || !play(*candidate)) break;
    }
    return best();
  }

 private:
  Candidate* best() {
    const auto found = std::ranges::max_element(
        candidates_, [](const auto& a, const auto& b) { return a.score() < b.score(); });
    return found == candidates_.end() ? nullptr : &*found;
  }

  // Plays one game. Returns false if it was not finished in time.
  bool play(Candidate& candidate) {
    const std::size_t roles = simulator_->roles().size();
    // The same opening is played with changed roles, so that it favours nobody.
    const std::size_t role = candidate.games % roles;
    if (!go_to_opening(1 + candidate.games / roles)) return false;
    std::vector<std::unique_ptr<Agent>> agents;
    for (std::size_t r = 0; r < roles; ++r) {
      auto agent =
          make_agent(r == role ? candidate.spec : incumbent_, {simulator_, r, random_.next()});
      if (!agent) return false;
      agents.push_back(std::move(*agent));
    }
    std::vector<Move> joint(roles);
    for (std::size_t step = 0; !walker_->terminal(); ++step) {
      if (step == longest_game || limits_.exceeded()) return false;
      const State state = walker_->state();
      for (std::size_t r = 0; r < roles; ++r) {
        if (walker_->legal(r).empty()) return false;
        joint[r] = agents[r]->choose(state, time_);
      }
      walker_->make(joint);
    }
    candidate.points += points_of(role);
    ++candidate.games;
    return true;
  }

  bool go_to_opening(std::uint64_t seed) {
    base::Random random(seed);
    walker_->go_to(simulator_->initial());
    std::vector<Move> joint(simulator_->roles().size());
    for (std::uint32_t moves = 2 + random.below(3); moves > 0; --moves) {
      if (!search::choose_at_random(*walker_, random, joint)) return false;
      walker_->make(joint);
      if (walker_->terminal()) walker_->go_to(simulator_->initial());
    }
    return true;
  }

  // Compares the reward of the role with the mean of the others.
  double points_of(std::size_t role) {
    int own = 0, others = 0;
    const std::size_t roles = simulator_->roles().size();
    for (std::size_t r = 0; r < roles; ++r) (r == role ? own : others) += walker_->goal(r);
    own *= static_cast<int>(roles) - 1;
    return own > others ? 1 : own == others ? 0.5 : 0;
  }

  AgentSpec incumbent_;
  std::shared_ptr<const search::Simulator> simulator_;
  const base::Limits& limits_;
  Seconds time_;
  base::Random random_;
  std::unique_ptr<search::Walker> walker_;
  std::vector<Candidate> candidates_;
};

AgentSpec of_kind(const AgentSpec& automatic, AgentSpec::Kind kind) {
  AgentSpec spec = automatic;
  spec.kind = kind;
  return spec;
}

// The time of a move in the games of the tournament, so that some dozen games are possible.
Seconds time_in_tournament(Seconds preparation) {
  return std::clamp(preparation / 2'000, Seconds(0.002), Seconds(0.02));
}

std::vector<AgentSpec> candidates_for(const AgentSpec& automatic, const Seat& seat,
                                      const base::Limits& limits) {
  std::vector<AgentSpec> candidates;
  auto evaluator = search::make_evaluator(*seat.simulator, {"linear", seat.seed, limits});
  if (!evaluator) return candidates;
  AgentSpec alpha_beta = of_kind(automatic, AgentSpec::Kind::alpha_beta);
  alpha_beta.evaluator = "linear";
  alpha_beta.prepared_evaluator = *evaluator;
  candidates.push_back(alpha_beta);
  AgentSpec uct = of_kind(automatic, AgentSpec::Kind::uct);
  uct.evaluator = "linear";
  uct.evaluator_weight = 0.5;
  uct.prepared_evaluator = *evaluator;
  candidates.push_back(uct);
  return candidates;
}

std::string name_of(const AgentSpec& spec) {
  const std::string kind = spec.kind == AgentSpec::Kind::alpha_beta ? "alphabeta" : "uct";
  if (spec.evaluator.empty()) return kind;
  const std::string weight =
      spec.evaluator_weight ? fmt::format(",weight={}", *spec.evaluator_weight) : "";
  return fmt::format("{}:evaluator={}{}", kind, spec.evaluator, weight);
}

AutoChoice choose_by_tournament(const AgentSpec& automatic, const Seat& seat,
                                const base::Limits& limits, Seconds preparation) {
  const AgentSpec uct = of_kind(automatic, AgentSpec::Kind::uct);
  Tournament tournament(uct, seat, limits, time_in_tournament(preparation));
  for (const AgentSpec& candidate : candidates_for(automatic, seat, limits)) {
    tournament.add(candidate);
  }
  const Candidate* const best = tournament.run();
  if (best == nullptr || best->games == 0) return {uct, "uct, without a comparison"};
  const std::string result = fmt::format("{} scored {:.0f}% in {} short games against uct",
                                         name_of(best->spec), 100 * best->score(), best->games);
  if (best->secure_score() <= 0.5) return {uct, "uct: " + result};
  return {best->spec, name_of(best->spec) + ": " + result};
}

}  // namespace

AutoChoice choose_automatically(const AgentSpec& spec, const Seat& seat,
                                const base::Limits& limits) {
  const AgentSpec uct = of_kind(spec, AgentSpec::Kind::uct);
  const search::Simulator& simulator = *seat.simulator;
  if (!simulator.machine()) return {uct, "uct: the rules could not be grounded"};
  if (simulator.roles().size() == 1) {
    return {of_kind(spec, AgentSpec::Kind::plan), "plan: the game has one role"};
  }
  if (!search::AlphaBeta::make(seat.simulator, {1})) {
    return {uct, "uct: roles move at the same time"};
  }
  const Seconds preparation = spec.preparation.value_or(default_preparation);
  const base::Limits whole = limits.within(preparation);
  if (auto values = solve_if_small(simulator, limits.within(preparation / 4))) {
    AgentSpec perfect = of_kind(spec, AgentSpec::Kind::perfect);
    perfect.prepared_values = std::move(values);
    return {perfect, "perfect: the game was solved"};
  }
  if (spec.simulations) return {uct, "uct: the number of simulations is given"};
  return choose_by_tournament(spec, seat, whole, preparation);
}

AgentSpec resolved(const AgentSpec& spec, const Seat& seat, const base::Limits& limits) {
  if (spec.kind != AgentSpec::Kind::automatic) return spec;
  return choose_automatically(spec, seat, limits).spec;
}

}  // namespace zermelo::play
