// How near to each other two fluents are whose arguments should be equal.
#pragma once

#include <optional>
#include <vector>

#include "eval/argument_metrics.h"
#include "eval/fluent_index.h"
#include "eval/fuzzy_program.h"
#include "eval/goal_expansion.h"

namespace zermelo::eval {

struct DistanceBetween {
  std::vector<Plane> first, second;
  std::vector<float> values;  // by pair: 1 - distance
};

// Recognises two fluents that share their variables, and confirms that all of these arguments have
// a metric.
std::optional<DistanceBetween> find_distance_between(const GoalExpression& expression,
                                                     const analysis::LiftedRules& rules,
                                                     ArgumentMetrics& metrics,
                                                     const FluentIndex& fluents);

}  // namespace zermelo::eval
