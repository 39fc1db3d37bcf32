// A portfolio. No single search is best on all games, so several take turns on one thread, each
// with its own memory of states: breadth-first search in lanes, which proves what it exhausts;
// greedy search with relaxed plans, aimed at the highest and at the nearest better reward; and
// best-first width search. They share the best line and the upper bound, which prune the others.
// Turns become longer, so that the time lost by a search on the wrong game stays a constant factor.
//
// The upper bound is at first the highest reward that the delete relaxation reaches. A search that
// exhausts the game lowers it to the best reward found. Only then, or when a line attains the
// bound, is the line optimal.
#include "search/planner/planner.h"

#include <algorithm>

#include "circuit/autonomous.h"
#include "search/planner/breadth_first.h"
#include "search/planner/estimator.h"
#include "search/planner/greedy_search.h"
#include "search/planner/landmark_search.h"
#include "search/planner/novelty_search.h"
#include "search/planner/rollout_search.h"
#include "translate/sas/direct.h"

namespace zermelo::search::planner {
namespace {

constexpr std::chrono::duration<double> first_turn{0.1};
constexpr double turn_growth = 1.5;

enum Kind : std::size_t {
  breadth_first,
  rollouts,
  greedy,
  landmarks,
  novelty,
  greedy_nearest,
  kinds
};

int highest_goal(const ground::Game& game) {
  return game.goals[0].empty() ? -1 : game.goals[0].back().value;
}

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
  std::unique_ptr<PlanSearch> search;  // null: not started yet
  bool is_over = false;
  std::chrono::duration<double> time = first_turn;
};

base::Result<std::unique_ptr<Planner>> Planner::make(
    std::shared_ptr<const machine::Machine> machine, const base::Limits& limits,
    std::uint64_t seed) {
  if (const std::size_t roles = machine->roles().size(); roles != 1) {
    return base::fail(base::ErrorKind::not_applicable,
                      "planning needs a game of one role; this one has " + std::to_string(roles));
  }
  std::unique_ptr<Planner> planner(new Planner(std::move(machine), seed));
  planner->prepare(limits);
  return planner;
}

Planner::Planner(std::shared_ptr<const machine::Machine> machine, std::uint64_t seed)
    : machine_(std::move(machine)), seed_(seed) {}

Planner::~Planner() = default;

void Planner::prepare(const base::Limits& limits) {
  if (const auto task = translate::sas::to_task(machine_->game(), {.limits = limits})) {
    task_ = std::make_unique<RelaxedTask>(*task, autonomous_fluents(*machine_->compiled()));
  }
  space_ = std::make_unique<PlanSpace>(machine_, initial_state(machine_->game()));
  start();
}

void Planner::start() {
  record_ = std::make_unique<PlanRecord>(highest_goal(machine_->game()));
  if (task_) record_->lower_bound_to(Estimator(*task_, *record_).highest_reward(space_->root()));
  turns_.clear();
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    if (task_ || kind <= rollouts) turns_.push_back({kind, nullptr});
  }
}

void Planner::set_root(const State& state) {
  std::optional<Line> rest;
  if (best()) {
    machine::Cursor cursor(machine_);
    cursor.reset(space_->root());
    for (auto move = best()->moves.begin(); move != best()->moves.end() && !rest; ++move) {
      if (cursor.is_at(state)) rest = Line{best()->reward, {move, best()->moves.end()}};
      if (!cursor.terminal()) cursor.make(std::span(&*move, 1));
    }
  }
  const bool was_optimal = rest && is_optimal();
  turns_.clear();
  space_ = std::make_unique<PlanSpace>(machine_, state);
  start();
  record_->offer(std::move(rest));
  if (was_optimal) record_->prove();
}

void Planner::improve(const base::Limits& limits, std::chrono::duration<double> time) {
  const Pause all(limits, time);
  const auto begin = std::chrono::steady_clock::now();
  while (!is_optimal() && !all.is_due()) {
    const auto next =
        std::min_element(turns_.begin(), turns_.end(), [](const auto& a, const auto& b) {
          return std::pair(a.is_over, a.time) < std::pair(b.is_over, b.time);
        });
    if (next == turns_.end() || next->is_over) return;
    const std::chrono::duration<double> used = std::chrono::steady_clock::now() - begin;
    run(*next, limits, std::min(next->time, time - used));
    next->time *= turn_growth;
  }
}

void Planner::run(Turn& turn, const base::Limits& limits, std::chrono::duration<double> time) {
  if (!turn.search) turn.search = make_search(turn.kind, limits);
  turn.is_over = !turn.search || turn.search->run(Pause(limits, time)) == SearchEnd::exhausted;
  if (turn.is_over) turn.search.reset();
}

std::unique_ptr<PlanSearch> Planner::make_search(std::size_t kind, const base::Limits& limits) {
  const std::uint64_t seed = seed_ * kinds + kind;
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
