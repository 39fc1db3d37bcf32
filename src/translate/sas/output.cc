#include "translate/sas/output.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/limited_steps.h"

namespace zermelo::translate::sas {

namespace {

constexpr std::size_t longest_line = 1 << 16;  // for which there is room before the next check

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
  void end_line() {
    steps_.take();
    if (text_.size() + longest_line >= text_.capacity()) {
      steps_.check(2 * text_.size());
      text_.reserve(2 * text_.size() + longest_line);
    }
    text_ += '\n';
  }
  void line(std::string_view text) {
    text_ += text;
    end_line();
  }
  void number(std::size_t value) {
    char digits[24];
    text_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }
  void number_line(std::size_t value) {
    number(value);
    end_line();
  }
  void pair(std::size_t first, std::size_t second) {
    number(first);
    text_ += ' ';
    number(second);
  }

  void write_variable(std::size_t v) {
    const Variable& variable = task_.variables[v];
    text_ += "begin_variable\nvar";
    number_line(v);
    variable.is_derived ? number_line(variable.layer) : line("-1");
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
    for (const Condition& c : cube) {
      pair(c.variable, c.value);
      end_line();
    }
  }

  void write_goal() {
    line("begin_goal");
    write_cube(task_.goal);
    line("end_goal");
  }

  // Conditions on variables that the operator changes stand with the effects.
  void write_operator(const Operator& made) {
    line("begin_operator");
    line(made.name);
    std::vector<std::uint32_t> changed;
    for (const Effect& effect : made.effects) changed.push_back(effect.variable);
    std::sort(changed.begin(), changed.end());
    Cube prevailing = made.precondition;
    erase_conditions(prevailing, [&](const Condition& condition) {
      return std::binary_search(changed.begin(), changed.end(), condition.variable);
    });
    write_cube(prevailing);
    number_line(made.effects.size());
    for (const Effect& effect : made.effects) write_effect(effect, made.precondition);
    number_line(static_cast<std::size_t>(task_.uses_costs ? made.cost : 1));
    line("end_operator");
  }

  void write_effect(const Effect& effect, const Cube& precondition) {
    number(effect.conditions.size());
    for (const Condition& c : effect.conditions) {
      text_ += ' ';
      pair(c.variable, c.value);
    }
    text_ += ' ';
    number(effect.variable);
    text_ += ' ';
    const std::optional<std::uint32_t> before = value_in(precondition, effect.variable);
    before ? number(*before) : void(text_ += "-1");
    text_ += ' ';
    number_line(effect.value);
  }

  void write_axiom(const Axiom& axiom) {
    line("begin_rule");
    write_cube(axiom.conditions);
    pair(axiom.variable, derived_false);
    text_ += ' ';
    number_line(derived_true);
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
