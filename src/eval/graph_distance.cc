// Distance over graphs (Michulke, "Heuristic Interpretation of Predicate Logic Expressions",
// relative distances): if an argument steps under a relation that is no successor relation, or
// under several, their pairs are the edges of a graph. The distance is the length of a shortest
// path, divided by the longest of all shortest paths; it is infinite if there is no path.
#include "eval/argument_metric.h"

namespace zermelo::eval {

ArgumentMetric graph_metric(
    const std::vector<std::pair<const analysis::BinaryRelation*, StepDirections>>& relations) {
  std::vector<std::pair<std::string, std::string>> steps;
  for (const auto& [relation, directions] : relations) {
    for (const auto& [a, b] : relation->pairs()) {
      if (directions.forward) steps.emplace_back(relation->name(a), relation->name(b));
      if (directions.backward) steps.emplace_back(relation->name(b), relation->name(a));
    }
  }
  return ArgumentMetric(Feature::graph_distance, steps, 0);
}

}  // namespace zermelo::eval
