#include "translate/pddl/ground.h"

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
        if (!value.empty()) propositions_.back().push_back(names.unique(with_hyphens(value)));
      }
    }
  }

  TaskText run() const { return {domain(), problem(), glossary()}; }

 private:
  bool is_none(std::uint32_t variable, std::uint32_t value) const {
    return value >= propositions_[variable].size();
  }

  std::string proposition(std::uint32_t variable, std::uint32_t value) const {
    return "(" + propositions_[variable][value] + ")";
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

  // The new value is added and the old one deleted, or all others where the old one is not known.
  std::string effect(const sas::Effect& effect, const Cube& precondition) const {
    auto before = sas::value_in(effect.conditions, effect.variable);
    if (!before) before = sas::value_in(precondition, effect.variable);
    std::string text;
    for (std::uint32_t value = 0; value < propositions_[effect.variable].size(); ++value) {
      if (value == effect.value) {
        text += " " + proposition(effect.variable, value);
      } else if (!before || *before == value) {
        text += " (not " + proposition(effect.variable, value) + ")";
      }
    }
    if (effect.conditions.empty()) return text;
    return " (when " + conjunction(effect.conditions) + " (and" + text + "))";
  }

  std::string action(const sas::Operator& made) const {
    std::string text = "  (:action " + made.name + "\n   :parameters ()\n   :precondition " +
                       conjunction(made.precondition) + "\n   :effect (and";
    for (const sas::Effect& e : made.effects) text += effect(e, made.precondition);
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
          result.fluents[propositions_[v][value]] = fluent->second;
      }
    }
    return result;
  }

  const sas::Task& task_;
  std::vector<std::vector<std::string>> propositions_;  // by variable and value
};

}  // namespace

TaskText to_ground_pddl(const sas::Task& task) { return GroundWriter(task).run(); }

}  // namespace zermelo::translate::pddl
