// An evaluation learned from random games: the logistic function of the sum of a weight for every
// fluent that holds and, with patterns, for every conjunction of the goals by its progress.
//
//   auto evaluator = LinearEvaluator::learn(machine, code, {});
//   (*evaluator)->evaluate(states, values);
#pragma once

#include <cstdint>
#include <memory>

#include "base/limits.h"
#include "base/result.h"
#include "eval/evaluator.h"
#include "eval/goal_patterns.h"
#include "lanes/sliced_games.h"

namespace zermelo::eval {

struct LearningOptions {
  std::size_t positions = 24'576;  // of random games, to learn from
  std::size_t playouts = 8;        // from each position; their mean reward is what is learned
  bool patterns = false;           // goal_patterns.h
  std::uint64_t seed = 1;
  base::Limits limits = {};
};

class LinearEvaluator : public Evaluator {
 public:
  // Fails at a limit, and with not_applicable if no random game ends.
  static base::Result<std::shared_ptr<const LinearEvaluator>> learn(
      std::shared_ptr<const machine::Machine> machine, const lanes::SlicedCode& code,
      const LearningOptions& options);

  void evaluate(std::span<const machine::State> states, std::span<float> values) const override;
  std::vector<EvaluationPart> explain(const machine::State& state, std::size_t role) const override;

  // The weight of a fluent for a role, in the scale of the logistic function.
  float weight(ground::Atom fluent, std::size_t role) const {
    return weights_[fluent * roles_ + role];
  }

 private:
  LinearEvaluator(std::shared_ptr<const machine::Machine> machine, GoalPatterns patterns);
  void add_fluents(std::span<const machine::State> states, std::span<float> values) const;
  void add_patterns(std::span<const machine::State> block, std::span<float> values) const;

  std::shared_ptr<const machine::Machine> machine_;
  std::size_t roles_;
  GoalPatterns patterns_;       // may have no inputs
  std::vector<float> weights_;  // by input (fluents, then patterns) and role
  std::vector<float> bias_;     // by role
};

}  // namespace zermelo::eval
