#include <algorithm>
#include <map>
#include <utility>

#include "translate/sas/output.h"

namespace zermelo::translate::sas {

namespace {

class Compilation {
 public:
  explicit Compilation(Task task) : task_(std::move(task)) {}

  Task run() {
    for (Operator& made : task_.operators) {
      make_positive(made.precondition);
      for (Effect& effect : made.effects) make_positive(effect.conditions);
    }
    for (Axiom& axiom : task_.axioms) make_positive(axiom.conditions);
    make_positive(task_.goal);
    for (Operator& made : task_.operators) add_effects(made);
    return std::move(task_);
  }

 private:
  void make_positive(Cube& cube) {
    for (Condition& condition : cube) {
      if (condition.equal) continue;
      if (task_.variables[condition.variable].values.size() == 2) {
        condition = {condition.variable, 1u - condition.value, true};
      } else {
        condition = {companion(condition.variable, condition.value), derived_false, true};
      }
    }
    std::sort(cube.begin(), cube.end());
  }

  std::uint32_t companion(std::uint32_t variable, std::uint32_t value) {
    const auto [place, is_new] = companions_[variable].try_emplace(value, 0);
    if (is_new) {
      const Variable& whole = task_.variables[variable];
      std::string name = whole.values[value];
      if (name.empty()) name = "none(" + std::to_string(variable) + ")";
      const std::uint32_t initial = whole.initial == value ? derived_true : derived_false;
      place->second = static_cast<std::uint32_t>(task_.variables.size());
      task_.variables.push_back({{std::move(name), ""}, initial, false, 0});
    }
    return place->second;
  }

  // A companion changes with the variable it belongs to.
  void add_effects(Operator& made) {
    const std::size_t count = made.effects.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Effect effect = made.effects[i];
      const auto found = companions_.find(effect.variable);
      if (found == companions_.end()) continue;
      std::optional<std::uint32_t> before = value_in(effect.conditions, effect.variable);
      if (!before) before = value_in(made.precondition, effect.variable);
      for (const auto& [value, variable] : found->second) {
        if (effect.value == value) {
          made.effects.push_back({effect.conditions, variable, derived_true});
        } else if (!before || *before == value) {
          made.effects.push_back({effect.conditions, variable, derived_false});
        }
      }
    }
  }

  Task task_;
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>>
      companions_;  // by variable, value
};

}  // namespace

Task with_positive_conditions(Task task) { return Compilation(std::move(task)).run(); }

}  // namespace zermelo::translate::sas
