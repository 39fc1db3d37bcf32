#include "translate/sas/prune.h"

#include <algorithm>

namespace zermelo::translate::sas {

namespace {

class Pruning {
 public:
  explicit Pruning(Task& task) : task_(task), removed_(task.variables.size(), false) {
    for (const Variable& variable : task.variables)
      domains_.add(static_cast<std::uint32_t>(variable.values.size()));
  }

  void run() {
    while (true) {
      const Cube constants = find_constants();
      if (!constants.empty()) {
        apply(constants);
        continue;
      }
      if (!remove_unread()) break;
    }
    renumber();
  }

 private:
  // Variables not yet removed that have one value only. One that makes the goal impossible stays.
  Cube find_constants() {
    std::vector<bool> changes = removed_;
    std::vector<bool> always(task_.variables.size(), false);
    for (const Operator& made : task_.operators) {
      for (const Effect& effect : made.effects) changes[effect.variable] = true;
    }
    for (const Axiom& axiom : task_.axioms) {
      always[axiom.variable] = always[axiom.variable] || axiom.conditions.empty();
      changes[axiom.variable] = true;
    }
    Cube constants;
    for (std::uint32_t v = 0; v < task_.variables.size(); ++v) {
      if (removed_[v] || (changes[v] && !always[v])) continue;
      const std::uint32_t value = always[v] ? derived_true : task_.variables[v].initial;
      const Cube fixed = {{v, value, true}};
      Cube goal = task_.goal;
      if (domains_.restrict(goal, fixed) && !goal.empty()) constants.push_back(fixed[0]);
    }
    return constants;
  }

  void apply(const Cube& constants) {
    for (const Condition& constant : constants)
      remove(constant.variable, FluentPlace::Kind::constant);
    const auto contradicts = [&](auto& conditions) {
      return !domains_.restrict(conditions, constants);
    };
    std::erase_if(task_.axioms, [&](Axiom& axiom) {
      return removed_[axiom.variable] || contradicts(axiom.conditions);
    });
    for (Operator& made : task_.operators) {
      std::erase_if(made.effects, [&](Effect& e) { return contradicts(e.conditions); });
    }
    std::erase_if(task_.operators, [&](Operator& made) {
      return made.effects.empty() || contradicts(made.precondition);
    });
    domains_.restrict(task_.goal, constants);
  }

  bool remove_unread() {
    std::vector<bool> read(task_.variables.size(), false);
    const auto mark = [&](const Cube& cube) {
      for (const Condition& condition : cube) read[condition.variable] = true;
    };
    mark(task_.goal);
    for (const Axiom& axiom : task_.axioms) mark(axiom.conditions);
    for (const Operator& made : task_.operators) {
      mark(made.precondition);
      for (const Effect& effect : made.effects) mark(effect.conditions);
    }
    bool changed = false;
    for (std::uint32_t v = 0; v < read.size(); ++v) {
      if (read[v] || removed_[v]) continue;
      remove(v, FluentPlace::Kind::left_out);
      changed = true;
    }
    if (changed) drop_removed();
    return changed;
  }

  void drop_removed() {
    std::erase_if(task_.axioms, [&](const Axiom& axiom) { return removed_[axiom.variable]; });
    for (Operator& made : task_.operators)
      std::erase_if(made.effects, [&](const Effect& effect) { return removed_[effect.variable]; });
    std::erase_if(task_.operators, [](const Operator& made) { return made.effects.empty(); });
  }

  void remove(std::uint32_t variable, FluentPlace::Kind kind) {
    removed_[variable] = true;
    kinds_.resize(removed_.size());
    kinds_[variable] = kind;
  }

  void renumber() {
    std::vector<std::uint32_t> number(removed_.size(), 0);
    std::vector<Variable> kept;
    for (std::uint32_t v = 0; v < number.size(); ++v) {
      number[v] = static_cast<std::uint32_t>(kept.size());
      if (!removed_[v]) kept.push_back(std::move(task_.variables[v]));
    }
    const auto rename = [&](Cube& cube) {
      for (Condition& condition : cube) condition.variable = number[condition.variable];
    };
    rename(task_.goal);
    for (Axiom& axiom : task_.axioms) {
      axiom.variable = number[axiom.variable];
      rename(axiom.conditions);
    }
    for (Operator& made : task_.operators) {
      rename(made.precondition);
      for (Effect& effect : made.effects) {
        effect.variable = number[effect.variable];
        rename(effect.conditions);
      }
    }
    for (FluentPlace& place : task_.fluents) {
      if (place.kind != FluentPlace::Kind::value) continue;
      if (removed_[place.variable]) place.kind = kinds_[place.variable];
      place.variable = number[place.variable];
    }
    task_.variables = std::move(kept);
  }

  Task& task_;
  Domains domains_;
  std::vector<bool> removed_;             // by variable
  std::vector<FluentPlace::Kind> kinds_;  // why, by variable
};

}  // namespace

void prune(Task& task) { Pruning(task).run(); }

}  // namespace zermelo::translate::sas
