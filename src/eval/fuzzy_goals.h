// The goals of a game in fuzzy logic. The reward of a role is the mean of its goal values, weighted
// by how true their conditions are.
#pragma once

#include <memory>
#include <vector>

#include "eval/evaluator.h"
#include "eval/fuzzy_program.h"
#include "eval/plane_rules.h"

namespace zermelo::eval {

class FuzzyGoals : public Evaluator {
 public:
  struct Goal {
    int value;
    FuzzyProgram::Node node;
  };

  void evaluate(std::span<const machine::State> states, std::span<float> values) const override;
  std::vector<EvaluationPart> explain(const machine::State& state, std::size_t role) const override;

  // How true the goals of a role are, from 0 to 1, by ascending goal value.
  std::vector<double> degrees(const machine::State& state, std::size_t role) const;

  const FuzzyProgram& program() const { return program_; }

 protected:
  FuzzyGoals(std::shared_ptr<const machine::Machine> machine, const FuzzyLogic& logic);

  // How true all nodes of the program are in up to 64 states; valid until the thread's next call.
  const std::vector<float>& all_degrees(std::span<const machine::State> states) const;

  std::shared_ptr<const machine::Machine> machine_;
  FuzzyProgram program_;
  PlaneRules rules_;                      // of the planes that are no fluents
  std::vector<std::vector<Goal>> goals_;  // by role, ascending values

 private:
  float reward(const std::vector<float>& degrees, std::size_t state, std::size_t role) const;
};

}  // namespace zermelo::eval
