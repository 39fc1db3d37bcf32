// A portfolio. No single search is best on all games, so several take turns on one thread, each
// with its own memory of states: decomposition search, if the game has subgames, or exhaustive
// search of a serial composition; breadth-first
// search in lanes, which proves what it exhausts; greedy search with relaxed plans, aimed at the
// highest and at the nearest better reward; and best-first width search. They share the best line
// and the upper bound, which prune the others. Turns become longer, so that the time lost by a
// search on the wrong game stays a constant factor.
//
// The upper bound is at first the highest reward that the delete relaxation reaches. A search that
// exhausts the game lowers it to the best reward found. Only then, or when a line attains the
// bound, is the line optimal.
#include "search/planner/planner.h"

#include <malloc.h>

#include <algorithm>

#include "circuit/autonomous.h"
#include "search/planner/breadth_first.h"
#include "search/planner/estimator.h"
#include "search/planner/factored_search.h"
#include "search/planner/greedy_search.h"
#include "search/planner/landmark_search.h"
#include "search/planner/novelty_search.h"
#include "search/planner/rollout_search.h"
#include "search/planner/stage_search.h"
#include "translate/one_role.h"
#include "translate/sas/direct.h"

namespace zermelo::search::planner {
namespace {

using Seconds = std::chrono::duration<double>;
using Clock = std::chrono::steady_clock;

constexpr Seconds shortest_turn{0.1};
constexpr Seconds first_exhaustive_turn{0.5};  // small games then always get the same plan
constexpr double turn_share = 0.5;             // of the time that a search had before
constexpr Seconds first_task_time{4};

enum Kind : std::size_t {
  factored,
  breadth_first,
  rollouts,
  greedy,
  landmarks,
  novelty,
  greedy_nearest,
  kinds
};

bool needs_task(std::size_t kind) { return kind > rollouts; }

State initial_state(const ground::Game& game) {
  State state(game.fluents.size());
  for (const ground::Atom fluent : game.initial) state.set(fluent);
  return state;
}

std::vector<bool> autonomous_fluents(const circuit::CompiledGame& compiled) {
  std::vector<bool> result(compiled.game().fluents.size(), false);
  for (const ground::Atom fluent : compiled.autonomous().fluents()) result[fluent] = true;
  return result;
}

}  // namespace

struct Planner::Turn {
  std::size_t kind;
  std::unique_ptr<PlanSearch> search = nullptr;  // null: not started yet
  bool is_over = false;
  Seconds used{0};
};

base::Result<std::unique_ptr<Planner>> Planner::make(
    std::shared_ptr<const machine::Machine> machine, std::uint64_t seed) {
  if (auto single = translate::require_one_role(*machine->game().rulesheet); !single)
    return tl::unexpected(single.error());
  return std::unique_ptr<Planner>(new Planner(std::move(machine), seed));
}

Planner::Planner(std::shared_ptr<const machine::Machine> machine, std::uint64_t seed)
    : machine_(std::move(machine)),
      seed_(seed),
      task_time_(first_task_time),
      factoring_(machine_),
      space_(std::make_unique<PlanSpace>(machine_, initial_state(machine_->game()))) {
  start();
}

Planner::~Planner() = default;

void Planner::start() {
  record_ = std::make_unique<PlanRecord>(space_->highest_reward());
  if (task_) record_->lower_bound_to(Estimator(*task_, *record_).highest_reward(space_->root()));
  turns_.clear();
  for (std::size_t kind = 0; kind < kinds; ++kind) turns_.push_back({kind});
}

void Planner::set_root(const State& state) {
  if (state == root()) return;
  std::optional<Line> rest;
  if (best()) {
    machine::Cursor cursor(machine_);
    cursor.reset(space_->root());
    for (auto move = best()->moves.begin(); move != best()->moves.end() && !rest; ++move) {
      if (cursor.is_at(state)) rest = Line{best()->reward, {move, best()->moves.end()}};
      cursor.make(std::span(&*move, 1));
    }
  }
  const bool was_optimal = rest && is_optimal();
  turns_.clear();
  space_ = std::make_unique<PlanSpace>(machine_, state);
  start();
  record_->offer(std::move(rest));
  if (was_optimal) record_->prove();
}

void Planner::improve(const base::Limits& limits, Seconds time) {
  const auto begin = Clock::now();
  const Pause end(limits, time);
  while (!is_optimal() && (!end.is_due() || make_room(limits))) {
    Turn* next = next_turn();
    const Seconds left = time - (Clock::now() - begin);
    if (next == nullptr || left <= Seconds(0)) return;
    run(*next, limits, left);
  }
}

// Where memory is the limit that was reached, drops what searches hold. Whether that helped.
bool Planner::make_room(const base::Limits& limits) {
  if (limits.exceeded() != base::ErrorKind::memory_limit) return false;
  end_breadth_first();
  if (limits.exceeded()) release();
  return !limits.exceeded();
}

// It would only come as far again.
void Planner::end_breadth_first() {
  for (Turn& turn : turns_) {
    if (turn.kind != breadth_first || !turn.search) continue;
    turn.is_over = true;
    turn.search.reset();
  }
  ::malloc_trim(0);
}

void Planner::release() {
  end_breadth_first();
  for (Turn& turn : turns_) turn.search.reset();
  ++seed_;
  ::malloc_trim(0);
}

// The search that had the least time; nothing if all are over.
Planner::Turn* Planner::next_turn() {
  Turn* next = nullptr;
  for (Turn& turn : turns_) {
    const bool is_possible = !turn.is_over && !(needs_task(turn.kind) && task_failed_);
    if (is_possible && (next == nullptr || turn.used < next->used)) next = &turn;
  }
  return next;
}

void Planner::run(Turn& turn, const base::Limits& limits, Seconds left) {
  const bool is_first = turn.kind <= breadth_first && !turn.search;
  const Seconds shortest = is_first ? first_exhaustive_turn : shortest_turn;
  const Seconds time = std::min(std::max(shortest, turn.used * turn_share), left);
  if (needs_task(turn.kind) && !task_) return prepare(limits, std::min(task_time_, left));
  const auto begin = Clock::now();
  if (!turn.search) turn.search = make_search(turn.kind, limits);
  turn.is_over = !turn.search || turn.search->run(Pause(limits, time)) == SearchEnd::exhausted;
  if (turn.is_over) turn.search.reset();
  turn.used += Clock::now() - begin;
}

// The next attempt gets more time. The time is that of all searches that need the task.
void Planner::prepare(const base::Limits& limits, Seconds time) {
  const auto begin = Clock::now();
  base::Limits for_task(time, std::nullopt);
  for_task.end_when([&] { return limits.exceeded().has_value(); });
  task_time_ *= 3;
  const auto task = translate::sas::to_task(machine_->game(), {.limits = for_task});
  for (Turn& turn : turns_) {
    if (needs_task(turn.kind)) turn.used += Clock::now() - begin;
  }
  if (!task) {
    task_failed_ = !base::is_limit(task.error().kind);
    return;
  }
  task_ = std::make_unique<RelaxedTask>(*task, autonomous_fluents(*machine_->compiled()));
  record_->lower_bound_to(Estimator(*task_, *record_).highest_reward(space_->root()));
  for (Turn& turn : turns_) {
    if (turn.kind == rollouts) turn.search.reset();  // now it can be guided
  }
}

// Decomposition search, or exhaustive search of a serial composition.
std::unique_ptr<PlanSearch> Planner::make_search_of_factors(const base::Limits& limits) {
  for (const analysis::Grain grain : decomposition::grains) {
    const analysis::Decomposition* found = factoring_.subgames(grain, limits);
    auto search = found ? make_factored_search(*space_, *record_, *found) : nullptr;
    if (search) return search;
  }
  const auto& stages = factoring_.stages(limits);
  return stages.empty() ? nullptr : std::make_unique<StageSearch>(*space_, *record_, stages);
}

std::unique_ptr<PlanSearch> Planner::make_search(std::size_t kind, const base::Limits& limits) {
  const std::uint64_t seed = seed_ * kinds + kind;
  if (kind == factored) {
    return make_search_of_factors(limits);
  }
  if (kind == breadth_first) {
    auto search = make_breadth_first(*space_, *record_, limits);
    return search ? std::move(*search) : nullptr;
  }
  if (kind == rollouts) {
    return std::make_unique<RolloutSearch>(*space_, task_.get(), *record_, seed);
  }
  if (kind == landmarks) return std::make_unique<LandmarkSearch>(*space_, *task_, *record_, seed);
  if (kind == novelty) {
    return std::make_unique<NoveltySearch>(*space_, *task_, *record_,
                                           NoveltyOptions{Aim::highest, seed});
  }
  const Aim aim = kind == greedy ? Aim::highest : Aim::nearest;
  return std::make_unique<GreedySearch>(*space_, *task_, *record_,
                                        GreedyOptions{aim, kind == greedy_nearest, seed});
}

const std::optional<Line>& Planner::best() const { return record_->best(); }

bool Planner::is_optimal() const { return record_->is_optimal(); }

int Planner::upper_bound() const { return record_->upper_bound(); }

}  // namespace zermelo::search::planner
