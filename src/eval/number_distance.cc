// Distance over natural numbers (Michulke, "Heuristic Interpretation of Predicate Logic
// Expressions", relative distances): a static relation under which an argument of a fluent steps is
// a successor relation if it is functional, injective and has no cycle. All of that is checked on
// its pairs. Then its elements are numbers, and the distance is their difference, divided by the
// size of the domain. If the rules step in one direction only, the other one is infinitely far.
#include "eval/argument_metric.h"

namespace zermelo::eval {

std::optional<ArgumentMetric> number_metric(const analysis::BinaryRelation& relation,
                                            StepDirections directions) {
  if (!relation.is_successor()) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> steps;
  for (const auto& [a, b] : relation.pairs()) {
    if (directions.forward) steps.emplace_back(relation.name(a), relation.name(b));
    if (directions.backward) steps.emplace_back(relation.name(b), relation.name(a));
  }
  return ArgumentMetric(Feature::number_distance, steps, relation.size());
}

}  // namespace zermelo::eval
