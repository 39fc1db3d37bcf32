// An interpreter of Fast Downward's output.sas (version 3) for tests, by the description of the
// format. It shares no code with what writes it.
#pragma once

#include <string>
#include <vector>

namespace zermelo::testing {

class SasInterpreter {
 public:
  using State = std::vector<int>;  // by variable; derived ones evaluated

  // Throws std::runtime_error where the text breaks the format: values out of range, effects on
  // derived variables, negated axioms that are not stratified.
  explicit SasInterpreter(const std::string& text);

  State initial_state() const;
  std::size_t operators() const { return operators_.size(); }
  const std::string& name(std::size_t op) const { return operators_[op].name; }
  int cost(std::size_t op) const { return operators_[op].cost; }
  bool is_applicable(const State& state, std::size_t op) const;
  // Throws when two effects that happen disagree.
  State apply(const State& state, std::size_t op) const;
  bool is_goal(const State& state) const { return hold(goal_, state); }
  // By variable and value: "Atom cell(1, 1, b)".
  const std::vector<std::vector<std::string>>& value_names() const { return value_names_; }
  bool is_derived(std::size_t variable) const { return layers_[variable] >= 0; }
  std::size_t axioms() const { return axioms_.size(); }

 private:
  struct Fact {
    int variable;
    int value;
  };
  using Facts = std::vector<Fact>;
  struct Effect {
    Facts conditions;
    Fact result;
  };
  struct Operator {
    std::string name;
    Facts precondition;
    std::vector<Effect> effects;
    int cost;
  };
  struct Axiom {
    Facts conditions;
    Fact result;
  };

  class Lines;
  void read_variable(Lines& lines);
  void read_operator(Lines& lines);
  void read_axiom(Lines& lines);
  Facts read_facts(Lines& lines) const;
  void check(const Fact& fact) const;
  void check_strata() const;
  void derive(State& state) const;
  static bool hold(const Facts& facts, const State& state);

  std::vector<int> layers_;  // by variable; -1 for one that is not derived
  std::vector<std::vector<std::string>> value_names_;
  State initial_;
  Facts goal_;
  std::vector<Operator> operators_;
  std::vector<Axiom> axioms_;
};

}  // namespace zermelo::testing
