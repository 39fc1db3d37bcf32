// Chooses the order in which the body of a rule is evaluated, given the known arguments of its
// head.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "reference/rule_program.h"

namespace zermelo::reference {

struct Step {
  const BodyLiteral* literal;
  ArgumentMask given = 0;         // arguments known before the step
  std::vector<VariableId> binds;  // variables bound by the step
};

struct Plan {
  const Rule* rule;
  std::vector<Step> steps;
};

// The plans of all rules of a predicate, with the maximum number of variables and steps.
struct PlanSet {
  std::vector<Plan> plans;
  std::size_t variables = 0;
  std::size_t steps = 0;
};

// Keeps a reference to the program. Its rules must not change afterwards.
class BodyOrderer {
 public:
  explicit BodyOrderer(const RuleProgram& program);

  // Returns the plans for a predicate with these arguments given. The reference stays valid. Throws
  // LimitReached.
  const PlanSet& plans(PredicateId predicate, ArgumentMask given, base::LimitedSteps& steps);

 private:
  // Estimated upper bounds: the number of tuples, and of values of each argument.
  struct Estimate {
    double size = 0;
    std::vector<double> values;
  };

  static Estimate measure(const TupleSet& tuples, std::size_t arity);
  void measure_initial_fluents();
  void replace_unknowns();
  void estimate_rule(const Rule& rule);
  std::vector<double> variable_values(const Rule& rule) const;
  double expression_values(ExpressionId expression, const std::vector<double>& values) const;
  void estimate_fluents(const Rule& rule, const std::vector<double>& values);
  void raise(Estimate& estimate, std::span<const double> values) const;

  Plan make_plan(const Rule& rule, ArgumentMask given, base::LimitedSteps& steps) const;
  void sort_by_cost(std::vector<const BodyLiteral*>& literals,
                    const std::vector<bool>& bound) const;
  double cost(const BodyLiteral& literal, const std::vector<bool>& bound) const;
  double computation_cost(const BodyLiteral& literal, const std::vector<bool>& bound) const;
  bool is_bound(ExpressionId expression, const std::vector<bool>& bound) const;
  ArgumentMask bound_arguments(std::span<const ExpressionId> arguments,
                               const std::vector<bool>& bound) const;
  Step make_step(const BodyLiteral& literal, std::vector<bool>& bound) const;

  const RuleProgram& program_;
  std::vector<Estimate> estimates_;  // by predicate
  std::map<std::pair<PredicateId, ArgumentMask>, PlanSet> plans_;
};

}  // namespace zermelo::reference
