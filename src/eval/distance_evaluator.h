// The goals of a game in fuzzy logic, where a fluent that does not hold is the more true the fewer
// moves away it is.
#pragma once

#include <memory>
#include <vector>

#include "analysis/rule_evaluator.h"
#include "base/limits.h"
#include "base/result.h"
#include "eval/evaluator.h"
#include "eval/goal_formula.h"

namespace zermelo::eval {

struct DistanceOptions {
  bool distances = true;  // false: all fluents that do not hold have the same value
  base::Limits limits = {};
};

class DistanceEvaluator : public Evaluator {
 public:
  // Fails at a limit.
  static base::Result<std::shared_ptr<const DistanceEvaluator>> make(
      std::shared_ptr<const machine::Machine> machine, const DistanceOptions& options);

  void evaluate(std::span<const machine::State> states, std::span<float> values) const override;
  std::vector<EvaluationPart> explain(const machine::State& state, std::size_t role) const override;

  // How true a goal of a role is, from 0 to 1: by the role's goal values, ascending.
  std::vector<double> degrees(const machine::State& state, std::size_t role) const;
  // How true a fluent is.
  double degree(const machine::State& state, ground::Atom fluent) const;

 private:
  using Node = GoalFormula::Node;

  // How true a fluent of the formula is, at least, if some other fluent holds.
  struct Effect {
    Node node;
    float degree;
  };
  // The effects in one fluent graph.
  struct GraphEffects {
    std::vector<std::vector<Effect>> of_fluent;
    std::vector<Effect> of_nothing;  // in every state
  };

  explicit DistanceEvaluator(std::shared_ptr<const machine::Machine> machine);
  void add_truth();
  base::Result<void> add_distances(const base::Limits& limits);

  void set_fluents(const machine::State& state, std::vector<float>& degrees) const;
  void set_opaque(const machine::State& state, std::vector<float>& degrees) const;
  // By node.
  std::vector<float>& all_degrees(const machine::State& state) const;
  float reward(std::span<const float> degrees, std::size_t role) const;

  std::shared_ptr<const machine::Machine> machine_;
  GoalFormula formula_;
  std::vector<Node> opaque_;
  std::unique_ptr<analysis::RuleEvaluator> opaque_rules_;  // null if nothing is opaque
  std::vector<GraphEffects> graphs_;
};

}  // namespace zermelo::eval
