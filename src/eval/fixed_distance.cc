// The distance to fixed fluents of Michulke, "Heuristic Interpretation of Predicate Logic
// Expressions in General Game Playing", section 3.2 (relative distances II). Examples:
//
//   true(step(50))              a clock
//   true(cell(Y, 8, x))         a pawn on the last rank
//
// A fluent of the same name that holds is near if it has the same values in all other arguments and
// near ones in the ordered arguments. Arguments that are variables in the goal may have any value.
// The value is 0.1 + 0.8 (1 - d) for the mean distance d of the ordered arguments, and 0 if no
// fluent that holds can come near.
//
// The paper's conflict rules:
// - In Connect Four, the rules mention the cell below, so that a disc seems to climb from cell to
//   cell. But all cells are part of some line, while the places that a piece should reach are few.
//   So there is no distance to a fluent if more than half of the fluents of its form (the same
//   values in the arguments that are not ordered) occur in the goals.
// - A fluent with variables in all its ordered arguments counts pieces: its solution cardinality is
//   meant. With a constant in one of them, the distance is meant.
#include "eval/fixed_distance.h"

#include <algorithm>

#include "analysis/lifted_rules.h"

namespace zermelo::eval {
namespace {

struct OrderedArgument {
  std::size_t position;
  const ArgumentMetric* metric;
  std::string value;
};

// A variable that no rule has.
gdl::Term any_value(std::size_t position) {
  const auto symbol = static_cast<gdl::Symbol>(0xffff'0000u + position);
  return {gdl::Term::Kind::variable, symbol, {}, {}};
}

bool is_scattered(const std::vector<ground::Atom>& of_form, const std::vector<bool>& goal_fluents) {
  const auto in_goals = std::count_if(of_form.begin(), of_form.end(),
                                      [&](ground::Atom fluent) { return goal_fluents[fluent]; });
  return 2 * static_cast<std::size_t>(in_goals) > of_form.size();
}

}  // namespace

std::optional<FixedDistance> find_fixed_distance(const gdl::Term& target, const FuzzyLogic& logic,
                                                 ArgumentMetrics& metrics,
                                                 const FluentIndex& fluents,
                                                 const std::vector<bool>& goal_fluents) {
  std::vector<OrderedArgument> ordered;
  FixedDistance result{Feature::number_distance, {}};
  for (const std::size_t position : metrics.ordered(target)) {
    const gdl::Term& argument = target.arguments[position];
    if (!analysis::variables_of(argument).empty()) continue;
    const ArgumentMetric* metric = metrics.metric(target, position);
    if (!metric) continue;
    if (metric->kind() == Feature::graph_distance) result.kind = Feature::graph_distance;
    ordered.push_back({position, metric, fluents.text(argument)});
  }
  if (ordered.empty()) return std::nullopt;
  gdl::Term form = target;
  for (const std::size_t position : metrics.ordered(target)) {
    form.arguments[position] = any_value(position);
  }
  const std::vector<ground::Atom> of_form = fluents.matching(form);
  if (is_scattered(of_form, goal_fluents)) return std::nullopt;
  gdl::Term near = target;
  for (const OrderedArgument& argument : ordered) {
    near.arguments[argument.position] = any_value(argument.position);
  }
  for (const ground::Atom fluent : fluents.matching(near)) {
    float sum = 0;
    for (const OrderedArgument& argument : ordered) {
      sum += argument.metric->between(fluents.argument(fluent, argument.position), argument.value);
    }
    if (sum == ArgumentMetric::infinite) continue;
    const float distance = sum / static_cast<float>(ordered.size());
    const float value = logic.holds - (logic.holds - logic.fails) * std::min(distance, 1.0f);
    result.values.emplace_back(fluent, value);
  }
  return result;
}

}  // namespace zermelo::eval
