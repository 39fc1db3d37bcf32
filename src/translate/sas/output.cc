#include "translate/sas/output.h"

#include <algorithm>
#include <utility>

#include "base/limited_steps.h"

namespace zermelo::translate::sas {

namespace {

class Text {
 public:
  Text(const Task& task, const base::Limits& limits)
      : task_(task), steps_(limits, "writing the task") {}

  std::string run() {
    line("begin_version\n3\nend_version\nbegin_metric");
    line(task_.uses_costs ? "1" : "0");
    line("end_metric");
    number_line(task_.variables.size());
    for (std::size_t v = 0; v < task_.variables.size(); ++v) write_variable(v);
    line("0");  // mutex groups: the variables are the groups
    write_initial();
    write_goal();
    number_line(task_.operators.size());
    for (const Operator& made : task_.operators) write_operator(made);
    number_line(task_.axioms.size());
    for (const Axiom& axiom : task_.axioms) write_axiom(axiom);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) {
    steps_.take();
    if (text_.size() + text.size() >= text_.capacity()) steps_.check(2 * text_.size());
    text_ += text + "\n";
  }
  void number_line(std::size_t number) { line(std::to_string(number)); }

  void write_variable(std::size_t v) {
    const Variable& variable = task_.variables[v];
    line("begin_variable\nvar" + std::to_string(v));
    line(variable.is_derived ? std::to_string(variable.layer) : "-1");
    number_line(variable.values.size());
    for (const std::string& value : variable.values) line(value_name(variable, value));
    line("end_variable");
  }

  static std::string value_name(const Variable& variable, const std::string& value) {
    if (!value.empty()) return "Atom " + value;
    return variable.values.size() == 2 ? "NegatedAtom " + variable.values[0] : "<none of those>";
  }

  void write_initial() {
    line("begin_state");
    for (const Variable& variable : task_.variables) number_line(variable.initial);
    line("end_state");
  }

  void write_cube(const Cube& cube) {
    number_line(cube.size());
    for (const Condition& c : cube)
      line(std::to_string(c.variable) + " " + std::to_string(c.value));
  }

  void write_goal() {
    line("begin_goal");
    write_cube(task_.goal);
    line("end_goal");
  }

  // Conditions on variables that the operator changes stand with the effects.
  void write_operator(const Operator& made) {
    line("begin_operator\n" + made.name);
    Cube prevailing = made.precondition;
    std::erase_if(prevailing, [&](const Condition& condition) {
      return std::any_of(made.effects.begin(), made.effects.end(), [&](const Effect& effect) {
        return effect.variable == condition.variable;
      });
    });
    write_cube(prevailing);
    number_line(made.effects.size());
    for (const Effect& effect : made.effects) write_effect(effect, made.precondition);
    number_line(static_cast<std::size_t>(task_.uses_costs ? made.cost : 1));
    line("end_operator");
  }

  void write_effect(const Effect& effect, const Cube& precondition) {
    text_ += std::to_string(effect.conditions.size());
    for (const Condition& c : effect.conditions)
      text_ += " " + std::to_string(c.variable) + " " + std::to_string(c.value);
    const std::optional<std::uint32_t> before = value_in(precondition, effect.variable);
    text_ +=
        " " + std::to_string(effect.variable) + " " + (before ? std::to_string(*before) : "-1");
    line(" " + std::to_string(effect.value));
  }

  void write_axiom(const Axiom& axiom) {
    line("begin_rule");
    write_cube(axiom.conditions);
    line(std::to_string(axiom.variable) + " " + std::to_string(derived_false) + " " +
         std::to_string(derived_true));
    line("end_rule");
  }

  const Task& task_;
  base::LimitedSteps steps_;
  std::string text_;
};

}  // namespace

std::string to_sas(Task task, const base::Limits& limits) {
  return Text(with_positive_conditions(std::move(task)), limits).run();
}

}  // namespace zermelo::translate::sas
