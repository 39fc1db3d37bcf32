#include "search/planner/estimator.h"

namespace zermelo::search::planner {
namespace {

// For each reward that is out of reach.
constexpr std::uint32_t level_penalty = 1'000;
constexpr std::uint32_t most_levels = 20;  // that are told apart by the penalty

}  // namespace

Estimator::Estimator(const RelaxedTask& task, const PlanRecord& record)
    : task_(task), record_(record), costs_(task.graph()), goal_costs_(task.goal_graph()) {}

Estimator::Choice Estimator::choose(const RelaxedCosts& costs, Aim aim) const {
  Choice choice;
  std::uint32_t skipped = 0;
  const auto& levels = task_.levels();
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    if (level->reward > record_.upper_bound()) continue;
    if (level->reward <= record_.reward()) break;
    const bool reached = costs.of(level->target) != unreachable;
    if (reached && (!choice.exists || costs.of(level->target) < costs.of(choice.target))) {
      choice = {level->target, aim == Aim::highest ? skipped * level_penalty : 0, true};
    }
    if (choice.exists && aim == Aim::highest) break;
    skipped = std::min(skipped + 1, most_levels);
  }
  return choice;
}

// The rewards of which the first to be reached settles the choice.
std::vector<Fact> Estimator::wanted(Aim aim) const {
  std::vector<Fact> targets;
  for (const RewardLevel& level : task_.levels()) {
    if (level.reward > record_.upper_bound() || level.reward <= record_.reward()) continue;
    if (aim == Aim::highest) targets.clear();
    targets.push_back(level.target);
  }
  return targets;
}

Estimate Estimator::relaxed_plan(const State& state, Aim aim) {
  task_.enter(state, costs_);
  costs_.run_until(wanted(aim));
  const Choice choice = choose(costs_, aim);
  Estimate estimate;
  estimate.is_dead_end = !choice.exists;
  if (!choice.exists) return estimate;
  RelaxedCosts::RelaxedPlan plan = costs_.extract(choice.target);
  estimate.distance = static_cast<std::uint32_t>(plan.operators.size()) + choice.penalty;
  for (const std::uint32_t made : plan.first) estimate.preferred.push_back(task_.move_of(made));
  estimate.facts = std::move(plan.facts);
  return estimate;
}

std::uint32_t Estimator::missing_goals(const State& state, Aim aim) {
  task_.enter_goals(state, goal_costs_);
  goal_costs_.run_until(wanted(aim));
  const Choice choice = choose(goal_costs_, aim);
  const auto cost = choice.exists ? static_cast<std::uint32_t>(goal_costs_.of(choice.target)) : 0;
  return cost + choice.penalty;
}

int Estimator::highest_reward(const State& state) {
  task_.enter(state, costs_);
  costs_.run();
  int highest = 0;
  for (const RewardLevel& level : task_.levels()) {
    if (costs_.of(level.target) != unreachable) highest = level.reward;
  }
  return highest;
}

}  // namespace zermelo::search::planner
