// The distance between fluents of Michulke, "Heuristic Interpretation of Predicate Logic
// Expressions in General Game Playing", section 3.1 (relative distances I). An example is the goal
// of a ghost in Pac-Man:
//
//   true(location(pacman, X, Y)), true(location(inky, X, Y))
//
// Two fluents with the same name share variables at the same arguments. If the rules step these
// arguments along a static relation, the expression is worth 1 - d, where d is the mean of the
// normalised distances of the arguments. Either fluent may approach the other, so the smaller of
// the distances in the two directions counts. Of several pairs of fluents that hold, the nearest
// counts; if there is no pair, the value is 0.
#include "eval/distance_between.h"

#include <algorithm>

namespace zermelo::eval {
namespace {

using gdl::Term;

// The two fluents, if the other conditions are static.
std::optional<std::pair<Term, Term>> two_fluents(const GoalExpression& expression,
                                                 const analysis::LiftedRules& rules) {
  std::vector<Term> found;
  for (const gdl::Formula& condition : expression.conditions) {
    if (const Term* fluent = analysis::fluent_in(condition)) {
      found.push_back(*fluent);
    } else if (condition.kind != gdl::Formula::Kind::atom || !rules.is_static(condition.atom)) {
      return std::nullopt;
    }
  }
  if (found.size() != 2 || gdl::signature(found[0]) != gdl::signature(found[1])) {
    return std::nullopt;
  }
  return std::pair(found[0], found[1]);
}

// The arguments with variables, if both fluents have the same ones.
std::vector<std::size_t> shared_positions(const Term& a, const Term& b) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < a.arguments.size(); ++i) {
    const bool has_variables = !analysis::variables_of(a.arguments[i]).empty() ||
                               !analysis::variables_of(b.arguments[i]).empty();
    if (!has_variables) continue;
    if (!(a.arguments[i] == b.arguments[i])) return {};
    positions.push_back(i);
  }
  return positions;
}

}  // namespace

std::optional<DistanceBetween> find_distance_between(const GoalExpression& expression,
                                                     const analysis::LiftedRules& rules,
                                                     ArgumentMetrics& metrics,
                                                     const FluentIndex& fluents) {
  const auto pair = two_fluents(expression, rules);
  if (!pair) return std::nullopt;
  const std::vector<std::size_t> positions = shared_positions(pair->first, pair->second);
  struct Both {
    const ArgumentMetric *of_first, *of_second;
  };
  std::vector<Both> by_position;
  for (const std::size_t p : positions) {
    by_position.push_back({metrics.metric(pair->first, p), metrics.metric(pair->second, p)});
    if (!by_position.back().of_first && !by_position.back().of_second) return std::nullopt;
  }
  if (positions.empty()) return std::nullopt;
  DistanceBetween result{fluents.matching(pair->first), fluents.matching(pair->second), {}};
  for (const ground::Atom first : result.first) {
    for (const ground::Atom second : result.second) {
      float sum = 0;
      for (std::size_t i = 0; i < positions.size(); ++i) {
        const std::string& a = fluents.argument(first, positions[i]);
        const std::string& b = fluents.argument(second, positions[i]);
        const auto& [of_first, of_second] = by_position[i];
        sum += std::min(of_first ? of_first->between(a, b) : ArgumentMetric::infinite,
                        of_second ? of_second->between(b, a) : ArgumentMetric::infinite);
      }
      result.values.push_back(std::max(0.0f, 1 - sum / static_cast<float>(positions.size())));
    }
  }
  return result;
}

}  // namespace zermelo::eval
