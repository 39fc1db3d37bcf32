// Estimates of how good states are for the roles, for search.
//
// An evaluator is immutable and may be shared by threads. It takes states in batches, because most
// evaluators are much faster on several states at once.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "machine/machine.h"

namespace zermelo::eval {

// A part of an evaluation and its value in some state.
struct EvaluationPart {
  std::string name;
  std::string kind;  // such as "goal", "fluent" or "weight"
  double value = 0;
  std::vector<EvaluationPart> children = {};  // what it is made of
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Sets the expected rewards, from 0 to 100, by state and role. `values` has room for them.
  virtual void evaluate(std::span<const machine::State> states, std::span<float> values) const = 0;
  // The parts of the evaluation of a state for a role, the most important ones first.
  virtual std::vector<EvaluationPart> explain(const machine::State& state,
                                              std::size_t role) const = 0;
};

}  // namespace zermelo::eval
