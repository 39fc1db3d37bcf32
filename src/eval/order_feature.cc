// The order feature of Michulke, "Heuristic Interpretation of Predicate Logic Expressions in
// General Game Playing", section 3.1. An example is the goal of checkers:
//
//   true(piece_count(white, W)), true(piece_count(black, B)), greater(W, B)
//
// If `greater` is a total order of n values, the expression is worth 0.5 + (w - b) / 2n, where w
// and b are the ranks of the values that hold. So a large lead is better than a small one. The
// paper asks for fluents that occur exactly once in every state. It is enough that there is at most
// one: if there is none, its rank counts as 0.
//
// The value is a sum of a constant and one weight per fluent, which is cheap to evaluate.
//
// Also recognised are a negated order, which is the opposite one up to equality, and a constant in
// the place of a fluent.
#include "eval/order_feature.h"

namespace zermelo::eval {
namespace {

using gdl::Formula;
using gdl::Term;

// The only variable among the arguments, if the others have none.
std::optional<std::size_t> only_variable(const Term& fluent) {
  std::optional<std::size_t> position;
  for (std::size_t i = 0; i < fluent.arguments.size(); ++i) {
    if (analysis::variables_of(fluent.arguments[i]).empty()) continue;
    if (position || fluent.arguments[i].kind != Term::Kind::variable) return std::nullopt;
    position = i;
  }
  return position;
}

// The side of the order that a term in the relation stands for.
std::optional<OrderPattern::Side> side_of(const Term& term, const std::vector<Term>& fluents) {
  if (analysis::variables_of(term).empty()) return OrderPattern::Side{{}, 0, term};
  for (const Term& fluent : fluents) {
    const auto position = only_variable(fluent);
    if (position && fluent.arguments[*position] == term) {
      return OrderPattern::Side{fluent, *position, {}};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<OrderPattern> find_order_pattern(const GoalExpression& expression,
                                               const analysis::LiftedRules& rules) {
  std::vector<Term> fluents;
  std::optional<Term> relation;
  bool negated = false;
  for (const Formula& condition : expression.conditions) {
    if (condition.kind == Formula::Kind::distinct) continue;
    const Formula& inner =
        condition.kind == Formula::Kind::negation ? condition.children.front() : condition;
    const bool is_negated = &inner != &condition;
    if (inner.kind != Formula::Kind::atom) return std::nullopt;
    if (const Term* fluent = analysis::fluent_in(inner); fluent && !is_negated) {
      fluents.push_back(*fluent);
    } else if (!relation && rules.is_static(inner.atom) && inner.atom.arguments.size() == 2) {
      relation = inner.atom;
      negated = is_negated;
    } else {
      return std::nullopt;
    }
  }
  if (!relation || fluents.empty() || fluents.size() > 2) return std::nullopt;
  auto first = side_of(relation->arguments[0], fluents);
  auto second = side_of(relation->arguments[1], fluents);
  if (!first || !second) return std::nullopt;
  const std::size_t sides = (first->fluent ? 1u : 0u) + (second->fluent ? 1u : 0u);
  if (sides != fluents.size()) return std::nullopt;
  if (negated) std::swap(first, second);
  return OrderPattern{std::move(*relation), std::move(*first), std::move(*second)};
}

std::optional<OrderFeature> confirm_order(const OrderPattern& pattern, const Relations& relations,
                                          const FluentIndex& fluents) {
  const analysis::BinaryRelation& relation = relations.at(gdl::signature(pattern.relation));
  const auto ranks = relation.total_order();
  if (!ranks) return std::nullopt;
  const float scale = 1 / (2 * static_cast<float>(relation.size()));
  OrderFeature feature;
  for (const auto& [side, sign] : {std::pair(&pattern.larger, scale), {&pattern.smaller, -scale}}) {
    const auto weight = [&, s = sign](const std::string& value) -> std::optional<float> {
      const auto element = relation.find(value);
      if (!element) return std::nullopt;
      return s * static_cast<float>((*ranks)[*element]);
    };
    if (!side->fluent) {
      const auto of_constant = weight(fluents.text(side->constant));
      if (!of_constant) return std::nullopt;
      feature.base += *of_constant;
      continue;
    }
    feature.exclusive.push_back(fluents.matching(*side->fluent));
    for (const ground::Atom fluent : feature.exclusive.back()) {
      const auto of_fluent = weight(fluents.argument(fluent, side->position));
      if (!of_fluent) return std::nullopt;
      feature.weights.emplace_back(fluent, *of_fluent);
    }
  }
  return feature;
}

}  // namespace zermelo::eval
