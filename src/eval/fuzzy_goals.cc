#include "eval/fuzzy_goals.h"

#include <algorithm>

namespace zermelo::eval {

FuzzyGoals::FuzzyGoals(std::shared_ptr<const machine::Machine> machine, const FuzzyLogic& logic)
    : machine_(std::move(machine)), program_(logic), goals_(machine_->roles().size()) {}

const std::vector<float>& FuzzyGoals::all_degrees(std::span<const machine::State> states) const {
  thread_local BitPlanes planes;
  thread_local std::vector<float> degrees;
  planes.load(states, std::max(rules_.planes(), machine_->game().fluents.size()));
  rules_.derive(planes);
  program_.evaluate(planes, degrees);
  return degrees;
}

// If no goal is true to any degree, all are equally likely.
float FuzzyGoals::reward(const std::vector<float>& degrees, std::size_t state,
                         std::size_t role) const {
  float sum = 0, weighted = 0;
  for (const Goal& goal : goals_[role]) {
    const float degree = degrees[goal.node * states_per_block + state];
    sum += degree;
    weighted += degree * static_cast<float>(goal.value);
  }
  return sum > 0 ? weighted / sum : 50;
}

void FuzzyGoals::evaluate(std::span<const machine::State> states, std::span<float> values) const {
  const std::size_t roles = goals_.size();
  for (std::size_t from = 0; from < states.size(); from += states_per_block) {
    const auto block = states.subspan(from, std::min(states_per_block, states.size() - from));
    const std::vector<float>& degrees = all_degrees(block);
    for (std::size_t s = 0; s < block.size(); ++s) {
      for (std::size_t role = 0; role < roles; ++role) {
        values[(from + s) * roles + role] = reward(degrees, s, role);
      }
    }
  }
}

std::vector<double> FuzzyGoals::degrees(const machine::State& state, std::size_t role) const {
  const std::vector<float>& all = all_degrees({&state, 1});
  std::vector<double> result;
  for (const Goal& goal : goals_[role]) {
    result.push_back(static_cast<double>(all[goal.node * states_per_block]));
  }
  return result;
}

std::vector<EvaluationPart> FuzzyGoals::explain(const machine::State& state,
                                                std::size_t role) const {
  const std::vector<float>& all = all_degrees({&state, 1});
  std::vector<EvaluationPart> parts;
  for (const Goal& goal : goals_[role]) {
    EvaluationPart of_goal = program_.explain(goal.node, all);
    EvaluationPart part{"(goal " + machine_->roles()[role] + " " + std::to_string(goal.value) + ")",
                        "goal",
                        of_goal.value,
                        {}};
    part.children.push_back(std::move(of_goal));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace zermelo::eval
