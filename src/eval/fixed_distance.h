// How near the fluents that hold are to a fluent of a goal, by the values of its arguments.
#pragma once

#include <optional>
#include <vector>

#include "eval/argument_metrics.h"
#include "eval/fluent_index.h"
#include "eval/fuzzy_program.h"

namespace zermelo::eval {

struct FixedDistance {
  Feature kind;  // graph_distance if any argument is a node of a graph
  std::vector<std::pair<Plane, float>> values;  // by fluent that can be near
};

// The distance interpretation of a fluent, which may have variables: their arguments may have any
// value. Nothing if no other argument has a metric, or if the fluents of its form are scattered
// over the goals (`goal_fluents`, by fluent).
std::optional<FixedDistance> find_fixed_distance(const gdl::Term& target, const FuzzyLogic& logic,
                                                 ArgumentMetrics& metrics,
                                                 const FluentIndex& fluents,
                                                 const std::vector<bool>& goal_fluents);

}  // namespace zermelo::eval
