#include "support/sas_interpreter.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

namespace zermelo::testing {

namespace {

[[noreturn]] void refuse_sas(const std::string& message) {
  throw std::runtime_error("SAS: " + message);
}

}  // namespace

class SasInterpreter::Lines {
 public:
  explicit Lines(const std::string& text) : stream_(text) {}

  std::string next() {
    std::string line;
    if (!std::getline(stream_, line)) refuse_sas("the text ends too early");
    return line;
  }
  void expect(const std::string& wanted) {
    const std::string line = next();
    if (line != wanted) refuse_sas("expected " + wanted + ", found " + line);
  }
  int number() { return numbers(1)[0]; }
  std::vector<int> numbers(std::size_t count) {
    std::vector<int> result = numbers();
    if (result.size() != count) refuse_sas("a line with a wrong number of numbers");
    return result;
  }
  std::vector<int> numbers() {
    std::istringstream line(next());
    std::vector<int> result;
    for (int number; line >> number;) result.push_back(number);
    if (!line.eof()) refuse_sas("expected numbers");
    return result;
  }
  bool at_end() { return stream_.peek() == std::istringstream::traits_type::eof(); }

 private:
  std::istringstream stream_;
};

SasInterpreter::SasInterpreter(const std::string& text) {
  Lines lines(text);
  for (const char* line : {"begin_version", "3", "end_version", "begin_metric"}) lines.expect(line);
  if (const int metric = lines.number(); metric != 0 && metric != 1) refuse_sas("metric");
  lines.expect("end_metric");
  for (int left = lines.number(); left > 0; --left) read_variable(lines);
  for (int left = lines.number(); left > 0; --left) {
    lines.expect("begin_mutex_group");
    read_facts(lines);
    lines.expect("end_mutex_group");
  }
  lines.expect("begin_state");
  for (int v = 0; v < static_cast<int>(layers_.size()); ++v) {
    initial_.push_back(lines.number());
    check({v, initial_.back()});
  }
  lines.expect("end_state");
  lines.expect("begin_goal");
  goal_ = read_facts(lines);
  if (goal_.empty()) refuse_sas("no goal");
  lines.expect("end_goal");
  for (int left = lines.number(); left > 0; --left) read_operator(lines);
  for (int left = lines.number(); left > 0; --left) read_axiom(lines);
  if (!lines.at_end()) refuse_sas("text after the end");
  check_strata();
}

void SasInterpreter::read_variable(Lines& lines) {
  lines.expect("begin_variable");
  lines.expect("var" + std::to_string(layers_.size()));
  layers_.push_back(lines.number());
  value_names_.emplace_back();
  for (int left = lines.number(); left > 0; --left) value_names_.back().push_back(lines.next());
  if (value_names_.back().size() < 2) refuse_sas("a variable with fewer than two values");
  lines.expect("end_variable");
}

void SasInterpreter::check(const Fact& fact) const {
  if (fact.variable < 0 || fact.variable >= static_cast<int>(layers_.size()) || fact.value < 0 ||
      fact.value >= static_cast<int>(value_names_[static_cast<std::size_t>(fact.variable)].size()))
    refuse_sas("a variable or value out of range");
}

SasInterpreter::Facts SasInterpreter::read_facts(Lines& lines) const {
  Facts facts;
  for (int left = lines.number(); left > 0; --left) {
    const std::vector<int> pair = lines.numbers(2);
    facts.push_back({pair[0], pair[1]});
    check(facts.back());
  }
  return facts;
}

void SasInterpreter::read_operator(Lines& lines) {
  Operator op;
  lines.expect("begin_operator");
  op.name = lines.next();
  op.precondition = read_facts(lines);
  const int effects = lines.number();
  if (effects < 1) refuse_sas("an operator without effects: " + op.name);
  for (int left = effects; left > 0; --left) {
    const std::vector<int> numbers = lines.numbers();
    const auto count = static_cast<std::size_t>(numbers.at(0));
    if (numbers.size() != 2 * count + 4) refuse_sas("an effect of a wrong length");
    Effect effect;
    for (std::size_t i = 0; i < count; ++i) {
      effect.conditions.push_back({numbers[1 + 2 * i], numbers[2 + 2 * i]});
      check(effect.conditions.back());
    }
    effect.result = {numbers[2 * count + 1], numbers[2 * count + 3]};
    check(effect.result);
    if (layers_[static_cast<std::size_t>(effect.result.variable)] != -1)
      refuse_sas("an effect on a derived variable");
    if (const int before = numbers[2 * count + 2]; before != -1) {
      op.precondition.push_back({effect.result.variable, before});
      check(op.precondition.back());
    }
    op.effects.push_back(std::move(effect));
  }
  op.cost = lines.number();
  lines.expect("end_operator");
  operators_.push_back(std::move(op));
}

void SasInterpreter::read_axiom(Lines& lines) {
  Axiom axiom;
  lines.expect("begin_rule");
  axiom.conditions = read_facts(lines);
  const std::vector<int> head = lines.numbers(3);
  axiom.result = {head[0], head[2]};
  check(axiom.result);
  check({head[0], head[1]});
  if (layers_[static_cast<std::size_t>(head[0])] < 0) refuse_sas("an axiom for a plain variable");
  if (head[1] != initial_[static_cast<std::size_t>(head[0])] || head[1] == head[2])
    refuse_sas("an axiom that does not change the default");
  lines.expect("end_rule");
  axioms_.push_back(std::move(axiom));
}

// Default values of derived variables may only be read in later layers, other values in the same.
void SasInterpreter::check_strata() const {
  for (const Axiom& axiom : axioms_) {
    const int layer = layers_[static_cast<std::size_t>(axiom.result.variable)];
    for (const Fact& fact : axiom.conditions) {
      const auto variable = static_cast<std::size_t>(fact.variable);
      const bool is_default = fact.value == initial_[variable];
      if (layers_[variable] >= 0 && layers_[variable] > layer - is_default)
        refuse_sas("axioms that are not stratified");
    }
  }
}

bool SasInterpreter::hold(const Facts& facts, const State& state) {
  return std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) {
    return state[static_cast<std::size_t>(fact.variable)] == fact.value;
  });
}

void SasInterpreter::derive(State& state) const {
  std::map<int, std::vector<const Axiom*>> by_layer;
  for (std::size_t v = 0; v < layers_.size(); ++v) {
    if (layers_[v] >= 0) state[v] = initial_[v];
  }
  for (const Axiom& axiom : axioms_)
    by_layer[layers_[static_cast<std::size_t>(axiom.result.variable)]].push_back(&axiom);
  for (const auto& [layer, axioms] : by_layer) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Axiom* axiom : axioms) {
        int& value = state[static_cast<std::size_t>(axiom->result.variable)];
        if (value == axiom->result.value || !hold(axiom->conditions, state)) continue;
        value = axiom->result.value;
        changed = true;
      }
    }
  }
}

SasInterpreter::State SasInterpreter::initial_state() const {
  State state = initial_;
  derive(state);
  return state;
}

bool SasInterpreter::is_applicable(const State& state, std::size_t op) const {
  return hold(operators_[op].precondition, state);
}

SasInterpreter::State SasInterpreter::apply(const State& state, std::size_t op) const {
  State result = state;
  std::map<int, int> assigned;
  for (const Effect& effect : operators_[op].effects) {
    if (!hold(effect.conditions, state)) continue;
    const auto [place, is_new] = assigned.emplace(effect.result.variable, effect.result.value);
    if (!is_new && place->second != effect.result.value)
      refuse_sas("effects of " + operators_[op].name + " disagree");
    result[static_cast<std::size_t>(effect.result.variable)] = effect.result.value;
  }
  derive(result);
  return result;
}

}  // namespace zermelo::testing
