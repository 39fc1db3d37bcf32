#include "translate/pddl/ground.h"

#include <map>
#include <optional>

#include "translate/planning_names.h"

namespace zermelo::translate::pddl {

namespace {

using sas::Condition;
using sas::Cube;

std::string with_hyphens(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '(' || c == ',') result += '-';
    if (c != '(' && c != ')' && c != ',' && c != ' ') result += c;
  }
  return result;
}

class GroundWriter {
 public:
  explicit GroundWriter(const sas::Task& task) : task_(task) {
    Names names;
    for (const sas::Variable& variable : task.variables) {
      propositions_.emplace_back();
      for (const std::string& value : variable.values) {
        if (!value.empty())
          propositions_.back().push_back("(" + names.unique(with_hyphens(value)) + ")");
      }
    }
  }

  TaskText run() const { return {domain(), problem(), glossary()}; }

 private:
  bool is_none(std::uint32_t variable, std::uint32_t value) const {
    return value >= propositions_[variable].size();
  }

  const std::string& proposition(std::uint32_t variable, std::uint32_t value) const {
    return propositions_[variable][value];
  }

  std::string condition(const Condition& c) const {
    if (!is_none(c.variable, c.value)) {
      const std::string text = proposition(c.variable, c.value);
      return c.equal ? text : "(not " + text + ")";
    }
    std::string any = propositions_[c.variable].size() > 1 ? "(or" : "";
    for (std::uint32_t value = 0; value < propositions_[c.variable].size(); ++value)
      any += (any.empty() ? "" : " ") + proposition(c.variable, value);
    if (any.starts_with("(or")) any += ")";
    return c.equal ? "(not " + any + ")" : any;
  }

  std::string conjunction(const Cube& cube) const {
    std::string text = "(and";
    for (const Condition& c : cube) text += " " + condition(c);
    return text + ")";
  }

  // The new value is added and the old one deleted, or all where the old one is not known. What is
  // added stays, even if it is deleted as well.
  std::string effects(const sas::Operator& made) const {
    std::string text;
    std::map<std::uint32_t, std::vector<const Cube*>> changes;  // by variable of unknown value
    for (const sas::Effect& effect : made.effects) {
      std::string change;
      if (!is_none(effect.variable, effect.value))
        change += " " + proposition(effect.variable, effect.value);
      if (const auto old = old_value(effect, made.precondition)) {
        if (!is_none(effect.variable, *old))
          change += " (not " + proposition(effect.variable, *old) + ")";
      } else {
        changes[effect.variable].push_back(&effect.conditions);
      }
      if (!change.empty()) text += when(effect.conditions, change);
    }
    for (const auto& [variable, conditions] : changes) text += deletion(variable, conditions);
    return text;
  }

  std::size_t values(std::uint32_t variable) const { return propositions_[variable].size(); }

  // The value that an effect replaces, where it is known.
  std::optional<std::uint32_t> old_value(const sas::Effect& effect,
                                         const Cube& precondition) const {
    if (values(effect.variable) == 1) return 1 - effect.value;
    const auto value = sas::value_in(effect.conditions, effect.variable);
    return value ? value : sas::value_in(precondition, effect.variable);
  }

  std::string when(const Cube& conditions, const std::string& change) const {
    if (conditions.empty()) return change;
    return " (when " + conjunction(conditions) + " (and" + change + "))";
  }

  // Deletes all values of a variable under any of some conditions.
  std::string deletion(std::uint32_t variable, const std::vector<const Cube*>& conditions) const {
    std::string change;
    for (std::uint32_t value = 0; value < values(variable); ++value)
      change += " (not " + proposition(variable, value) + ")";
    if (conditions.size() == 1) return when(*conditions[0], change);
    std::string any = "(or";
    for (const Cube* cube : conditions) any += " " + conjunction(*cube);
    return " (when " + any + ") (and" + change + "))";
  }

  std::string action(const sas::Operator& made) const {
    std::string text = "  (:action " + made.name + "\n   :parameters ()\n   :precondition " +
                       conjunction(made.precondition) + "\n   :effect (and" + effects(made);
    if (task_.uses_costs && made.cost > 0)
      text += " (increase (total-cost) " + std::to_string(made.cost) + ")";
    return text + "))\n";
  }

  std::string domain() const {
    std::string text =
        "(define (domain game)\n (:requirements :adl :derived-predicates :action-costs)\n "
        "(:predicates";
    for (std::uint32_t v = 0; v < propositions_.size(); ++v) {
      for (std::uint32_t value = 0; value < propositions_[v].size(); ++value)
        text += "\n  " + proposition(v, value);
    }
    text += ")\n";
    if (task_.uses_costs) text += " (:functions (total-cost) - number)\n";
    for (const sas::Axiom& axiom : task_.axioms) {
      text += "  (:derived " + proposition(axiom.variable, sas::derived_true) + " " +
              conjunction(axiom.conditions) + ")\n";
    }
    for (const sas::Operator& made : task_.operators) text += action(made);
    return text + ")\n";
  }

  std::string problem() const {
    std::string text = "(define (problem game)\n (:domain game)\n (:init";
    if (task_.uses_costs) text += "\n  (= (total-cost) 0)";
    for (std::uint32_t v = 0; v < propositions_.size(); ++v) {
      const sas::Variable& variable = task_.variables[v];
      if (!variable.is_derived && !is_none(v, variable.initial))
        text += "\n  " + proposition(v, variable.initial);
    }
    text += ")\n (:goal " + conjunction(task_.goal) + ")\n";
    if (task_.uses_costs) text += " (:metric minimize (total-cost))\n";
    return text + ")\n";
  }

  Glossary glossary() const {
    Glossary result = task_.glossary;
    result.fluents.clear();
    for (std::uint32_t v = 0; v < propositions_.size(); ++v) {
      for (std::uint32_t value = 0; value < propositions_[v].size(); ++value) {
        const auto fluent = task_.glossary.fluents.find(task_.variables[v].values[value]);
        if (!task_.variables[v].is_derived && fluent != task_.glossary.fluents.end())
          result.fluents[propositions_[v][value].substr(1, propositions_[v][value].size() - 2)] =
              fluent->second;
      }
    }
    return result;
  }

  const sas::Task& task_;
  std::vector<std::vector<std::string>> propositions_;  // by variable and value, in parentheses
};

}  // namespace

TaskText to_ground_pddl(const sas::Task& task) { return GroundWriter(task).run(); }

}  // namespace zermelo::translate::pddl
