#include "play/agent.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <thread>

#include "play/auto_choice.h"
#include "play/equilibrium_agent.h"
#include "play/folder_values.h"
#include "search/decomposition/factored_values.h"
#include "search/make_evaluator.h"
#include "search/planner/planner.h"
#include "solve/folder/equilibrium_reader.h"

namespace zermelo::play {
namespace {

constexpr Seconds max_ponder_time{600};  // by then the opponent has probably left

class RandomAgent : public Agent {
 public:
  explicit RandomAgent(const Seat& seat)
      : walker_(seat.simulator->walker()), role_(seat.role), random_(seat.seed) {}

  Move choose(const State& state, std::optional<Seconds>) override {
    walker_->go_to(state);
    const std::span<const Move> legal = walker_->legal(role_);
    return legal[random_.below(static_cast<std::uint32_t>(legal.size()))];
  }

 private:
  std::unique_ptr<search::Walker> walker_;
  std::size_t role_;
  base::Random random_;
};

class LegalAgent : public Agent {
 public:
  explicit LegalAgent(const Seat& seat) : walker_(seat.simulator->walker()), role_(seat.role) {}

  Move choose(const State& state, std::optional<Seconds>) override {
    walker_->go_to(state);
    return walker_->legal(role_).front();
  }

 private:
  std::unique_ptr<search::Walker> walker_;
  std::size_t role_;
};

class UctAgent : public Agent {
 public:
  UctAgent(const AgentSpec& spec, const Seat& seat, search::UctOptions options,
           std::shared_ptr<const eval::StateValues> values)
      : walker_(seat.simulator->walker()),
        role_(seat.role),
        stop_(seat.stop),
        budget_{spec.time, spec.simulations},
        ponders_(spec.ponder.value_or(false)),
        values_(values),
        make_uct_([simulator = seat.simulator, options = std::move(options), values] {
          return std::make_unique<search::Uct>(simulator, options, values);
        }),
        uct_(make_uct_()) {
    if (!budget_.seconds && !budget_.simulations) budget_.seconds = default_time;
  }

  Move choose(const State& state, std::optional<Seconds> time) override {
    walker_->go_to(state);
    if (walker_->legal(role_).size() == 1) return walker_->legal(role_).front();
    search::Budget budget = budget_;
    if (time) budget.seconds = time;
    set_root(state);
    const search::SearchReport report = uct_->search(budget, stop_);
    if (stop_.stop_requested()) return uct_->best_move(role_, {Seconds(0), 0});
    return uct_->best_move(role_, rest_of(budget, report));
  }

  std::optional<base::Error> read_error() const override {
    return values_ ? values_->read_error() : std::nullopt;
  }

  void ponder(const State& state) override {
    if (!ponders_) return;
    set_root(state);
    pondering_ = std::jthread([this](const std::stop_token& stop) { think(stop); });
  }

 private:
  // The part of the budget that the search did not use.
  static search::Budget rest_of(search::Budget budget, const search::SearchReport& report) {
    if (budget.seconds)
      *budget.seconds = std::max(*budget.seconds - Seconds(report.seconds), Seconds(0));
    if (budget.simulations)
      *budget.simulations -= std::min(*budget.simulations, report.simulations);
    return budget;
  }

  void set_root(const State& state) {
    pondering_ = {};
    if (!uct_) uct_ = make_uct_();
    uct_->set_root(state);
  }

  // If memory runs out, only the pondering ends and the tree is discarded.
  void think(const std::stop_token& stop) {
    try {
      uct_->search({max_ponder_time, {}}, stop);
    } catch (const std::exception&) {
      uct_.reset();
    }
  }

  std::unique_ptr<search::Walker> walker_;
  std::size_t role_;
  std::stop_token stop_;
  search::Budget budget_;
  bool ponders_;
  std::shared_ptr<const eval::StateValues> values_;
  std::function<std::unique_ptr<search::Uct>()> make_uct_;
  std::unique_ptr<search::Uct> uct_;
  std::jthread pondering_;  // stopped and joined before anything else uses uct_
};

class AlphaBetaAgent : public Agent {
 public:
  AlphaBetaAgent(const AgentSpec& spec, const Seat& seat, search::AlphaBeta search)
      : walker_(seat.simulator->walker()), role_(seat.role), search_(std::move(search)) {
    if (seat.simulator->machine()) proofs_.emplace(seat.simulator, search::ProofOptions());
    budget_.stop = seat.stop;
    budget_.seconds = spec.time;
    if (spec.depth) budget_.depth = *spec.depth;
    if (!spec.time && !spec.depth) budget_.seconds = default_time;
  }

  Move choose(const State& state, std::optional<Seconds> time) override {
    walker_->go_to(state);
    if (walker_->legal(role_).size() == 1) return walker_->legal(role_).front();
    search::AlphaBetaBudget budget = budget_;
    if (time) budget.seconds = time;
    if (const auto win = forced_win(state, budget)) return *win;
    const search::AlphaBetaReport report = search_.search(state, budget);
    // If two roles have a choice, the move found may belong to another role.
    return report.role == role_ ? report.move : walker_->legal(role_).front();
  }

 private:
  // Returns the first move of a win that alpha-beta might not reach, because it is deep but narrow.
  // Uses up to a tenth of the time, which it subtracts.
  std::optional<Move> forced_win(const State& state, search::AlphaBetaBudget& budget) {
    if (!proofs_ || !budget.seconds) return std::nullopt;
    constexpr std::uint64_t expansions_at_once = 16;
    const auto start = std::chrono::steady_clock::now();
    Seconds used{0};
    for (const Seconds share = *budget.seconds / 10;
         used < share && !budget.stop.stop_requested();) {
      const auto report = proofs_->search(state, role_, {expansions_at_once}, budget.stop);
      if (report.win && report.win->move) return report.win->move;
      if (report.win || report.is_refuted) break;
      used = std::chrono::steady_clock::now() - start;
    }
    *budget.seconds -= used;
    return std::nullopt;
  }

  std::unique_ptr<search::Walker> walker_;
  std::size_t role_;
  search::AlphaBetaBudget budget_;
  search::AlphaBeta search_;
  std::optional<search::ProofNumberSearch> proofs_;  // if the game was grounded
};

// Follows the best line that is known, and looks for a better one before every move.
class PlanAgent : public Agent {
 public:
  PlanAgent(const AgentSpec& spec, const Seat& seat,
            std::unique_ptr<search::planner::Planner> planner)
      : walker_(seat.simulator->walker()),
        stop_(seat.stop),
        time_(spec.time.value_or(default_time)),
        memory_bytes_(spec.memory_bytes.value_or(std::min(usual_memory, spec.memory_share))),
        planner_(std::move(planner)) {}

  Move choose(const State& state, std::optional<Seconds> time) override {
    planner_->set_root(state);
    walker_->go_to(state);
    if (walker_->legal(0).size() == 1) return walker_->legal(0).front();
    base::Limits limits(std::nullopt, base::resident_bytes() + memory_bytes_);
    limits.end_when([this] { return stop_.stop_requested(); });
    planner_->improve(limits, time.value_or(time_));
    return planner_->best() ? planner_->best()->moves.front() : walker_->legal(0).front();
  }

 private:
  static constexpr std::size_t usual_memory = std::size_t{1} << 30;

  std::unique_ptr<search::Walker> walker_;
  std::stop_token stop_;
  Seconds time_;
  std::size_t memory_bytes_;
  std::unique_ptr<search::planner::Planner> planner_;
};

// Plays the best move by exact values, in the order of outcomes that they were computed with. Among
// equal outcomes it takes the shortest if the role hurries, else the longest. If best play never
// ends, the state has no value, and the best move is one to a state without a value.
class PerfectAgent : public Agent {
 public:
  PerfectAgent(const Seat& seat, std::shared_ptr<const eval::StateValues> values)
      : walker_(seat.simulator->walker()),
        roles_(seat.simulator->roles().size()),
        role_(seat.role),
        values_(std::move(values)) {}

  Move choose(const State& state, std::optional<Seconds>) override {
    const bool ends = values_->value(state).has_value();
    walker_->go_to(state);
    std::vector<Move> joint;
    for (std::size_t role = 0; role < roles_; ++role) joint.push_back(walker_->legal(role).front());
    const std::span<const Move> legal = walker_->legal(role_);
    const std::vector<Move> moves(legal.begin(), legal.end());
    std::optional<Choice> best;
    for (const Move move : moves) {
      joint[role_] = move;
      walker_->go_to(state);
      walker_->make(joint);
      const Choice choice{move, values_->worth(walker_->state())};
      if (!best || is_better(choice, *best, ends)) best = choice;
    }
    return best->move;
  }

  std::optional<base::Error> read_error() const override { return values_->read_error(); }

 private:
  struct Choice {
    Move move = 0;
    std::optional<eval::Worth> worth;
  };

  bool is_better(const Choice& a, const Choice& b, bool ends) const {
    if (a.worth.has_value() != b.worth.has_value()) return a.worth.has_value() == ends;
    return a.worth && prefers(values_->model(), role_, *a.worth, *b.worth);
  }

  std::unique_ptr<search::Walker> walker_;
  std::size_t roles_;
  std::size_t role_;
  std::shared_ptr<const eval::StateValues> values_;
};

using Values = std::shared_ptr<const eval::StateValues>;

std::size_t memory_of(const AgentSpec& spec, std::size_t usual) {
  return spec.memory_bytes.value_or(std::min(usual, spec.memory_share));
}

base::Result<std::shared_ptr<const eval::Evaluator>> evaluator_of(const AgentSpec& spec,
                                                                  const Seat& seat) {
  if (spec.prepared_evaluator) return spec.prepared_evaluator;
  if (spec.evaluator.empty()) return nullptr;
  return search::make_evaluator(*seat.simulator, {spec.evaluator, seat.seed});
}

base::Result<std::unique_ptr<Agent>> make_alpha_beta_agent(const AgentSpec& spec,
                                                           const Seat& seat) {
  search::AlphaBetaOptions options;
  options.table_bytes = memory_of(spec, options.table_bytes);
  auto evaluator = evaluator_of(spec, seat);
  if (!evaluator) return tl::unexpected(evaluator.error());
  options.evaluator = std::move(*evaluator);
  options.quiescence = spec.quiescence;
  auto search = search::AlphaBeta::make(seat.simulator, options);
  if (!search) return tl::unexpected(search.error());
  return std::make_unique<AlphaBetaAgent>(spec, seat, std::move(*search));
}

base::Result<std::unique_ptr<Agent>> make_plan_agent(const AgentSpec& spec, const Seat& seat) {
  const auto machine = seat.simulator->machine();
  if (!machine) {
    return base::fail(base::ErrorKind::not_applicable, "plan needs a game that can be grounded");
  }
  auto planner = search::planner::Planner::make(machine, seat.seed);
  if (!planner) return tl::unexpected(planner.error());
  return std::make_unique<PlanAgent>(spec, seat, std::move(*planner));
}

base::Result<std::unique_ptr<Agent>> make_factored_agent(const Seat& seat) {
  const auto machine = seat.simulator->machine();
  if (!machine) {
    return base::fail(base::ErrorKind::not_applicable,
                      "factored needs a game that can be grounded");
  }
  auto found = search::decomposition::find_factored_values(machine);
  if (!found.values) {
    return base::fail(base::ErrorKind::not_applicable,
                      "factored needs a game whose subgames decide its values");
  }
  return std::make_unique<PerfectAgent>(seat, std::move(found.values));
}

base::Result<Values> values_of(const AgentSpec& spec, const Seat& seat) {
  if (spec.prepared_values) return spec.prepared_values;
  if (spec.folder.empty()) return Values();
  return open_folder_values(spec.folder, seat.simulator->machine());
}

}  // namespace

search::UctOptions uct_options(const AgentSpec& spec, const Seat& seat) {
  search::UctOptions options;
  const Variant& variant = spec.variant;
  if (spec.exploration) options.selection.exploration = *spec.exploration;
  if (variant.sufficiency) options.selection.sufficiency = search::default_sufficiency;
  if (variant.moving_average) options.moving_average = search::MovingAverage();
  if (variant.rave) options.selection.rave = 300;
  if (variant.mast) options.mast = 0.4;
  if (variant.regret_matching) options.regret_matching = search::RegretMatching();
  options.proofs = spec.proofs.value_or(true);
  if (spec.tactics == 0) options.forced_wins.reset();
  if (spec.tactics > 0) options.forced_wins->share = *spec.tactics;
  options.threads = spec.threads;
  options.memory_bytes = memory_of(spec, options.memory_bytes);
  if (spec.leaves) options.max_leaves = *spec.leaves;
  options.evaluator_weight = spec.evaluator_weight.value_or(1);
  options.seed = seat.seed;
  return options;
}

base::Result<std::unique_ptr<Agent>> make_agent(const AgentSpec& spec, const Seat& seat) {
  using Kind = AgentSpec::Kind;
  if (spec.make) return spec.make(spec, seat);
  if (spec.kind == Kind::automatic) {
    base::Limits limits;
    limits.end_when([&seat] { return seat.stop.stop_requested(); });
    return make_agent(resolved(spec, seat, limits), seat);
  }
  if (spec.kind == Kind::random) return std::make_unique<RandomAgent>(seat);
  if (spec.kind == Kind::legal) return std::make_unique<LegalAgent>(seat);
  if (spec.kind == Kind::alpha_beta) return make_alpha_beta_agent(spec, seat);
  if (spec.kind == Kind::plan) return make_plan_agent(spec, seat);
  if (spec.kind == Kind::factored) return make_factored_agent(seat);
  if (spec.kind == Kind::perfect && solve::EquilibriumReader::is_for(spec.folder)) {
    return make_equilibrium_agent(spec.folder, seat);
  }
  if (spec.kind == Kind::information_sets || spec.kind == Kind::determinise) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the player " + spec.text + " is for games with hidden information");
  }
  auto values = values_of(spec, seat);
  if (!values) return tl::unexpected(values.error());
  if (spec.kind == Kind::perfect) return std::make_unique<PerfectAgent>(seat, std::move(*values));
  search::UctOptions options = uct_options(spec, seat);
  auto evaluator = evaluator_of(spec, seat);
  if (!evaluator) return tl::unexpected(evaluator.error());
  options.evaluator = std::move(*evaluator);
  return std::make_unique<UctAgent>(spec, seat, std::move(options), std::move(*values));
}

}  // namespace zermelo::play
