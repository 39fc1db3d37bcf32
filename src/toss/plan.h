// From resolved formulas to steps of relational algebra.
#pragma once

#include "toss/logic.h"
#include "toss/steps.h"

namespace zermelo::toss {

// Takes tables over the inputs to tables over inputs and outputs.
StepPtr plan_formula(const Theory& theory, const Node& node, const Variables& inputs,
                     const Variables& outputs);
// Takes tables over the inputs, which are all free variables, to values.
TermStepPtr plan_term(const Theory& theory, const TermNode& term, const Variables& inputs);

// On the structure that a play starts with: the tuples over the free variables; the values by
// element of the only free variable, or the one value. Throw LimitReached.
TupleSet evaluate_node(const Theory& theory, const Node& node, std::size_t slots,
                       const EvaluationLimits& limits);
std::vector<double> evaluate_term(const Theory& theory, const TermNode& term, std::size_t slots,
                                  const EvaluationLimits& limits);

}  // namespace zermelo::toss
