#include "eval/network/network_evaluator.h"

namespace zermelo::eval::network {

void NetworkEvaluator::evaluate(std::span<const machine::State> states,
                                std::span<float> values) const {
  thread_local std::vector<std::uint32_t> active;
  const std::size_t roles = network_.network.roles();
  for (const machine::State& state : states) {
    network_.inputs.read(state, active);
    network_.network.evaluate(active, values);
    for (float& value : values.first(roles)) value *= 100;
    values = values.subspan(roles);
  }
}

std::vector<EvaluationPart> NetworkEvaluator::explain(const machine::State& state,
                                                      std::size_t role) const {
  std::vector<std::uint32_t> active;
  network_.inputs.read(state, active);
  const std::vector<float> outputs = network_.network.goal_outputs(active, role);
  const machine::Machine& machine = *network_.machine;
  std::vector<EvaluationPart> parts;
  for (std::size_t goal = 0; goal < outputs.size(); ++goal) {
    const std::string value = std::to_string(machine.game().goals[role][goal].value);
    parts.push_back({"(goal " + machine.roles()[role] + " " + value + ")",
                     "goal",
                     static_cast<double>(outputs[goal]),
                     {}});
  }
  return parts;
}

}  // namespace zermelo::eval::network
