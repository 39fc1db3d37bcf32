#include "eval/argument_metrics.h"

namespace zermelo::eval {

using analysis::ArgumentStep;

ArgumentMetrics::ArgumentMetrics(std::vector<ArgumentStep> steps, const Relations& relations,
                                 FeatureSet features)
    : relations_(relations), features_(features) {
  for (ArgumentStep& step : steps) {
    if (relations.at(gdl::signature(step.relation)).pairs().empty()) continue;
    steps_.push_back(std::move(step));
  }
  for (const ArgumentStep& step : steps_) {
    ordered_[gdl::signature(step.fluent)].insert(step.position);
  }
}

const std::set<std::size_t>& ArgumentMetrics::ordered(const gdl::Term& fluent) const {
  static const std::set<std::size_t> none;
  const auto found = ordered_.find(gdl::signature(fluent));
  return found == ordered_.end() ? none : found->second;
}

const ArgumentMetric* ArgumentMetrics::metric(const gdl::Term& fluent, std::size_t position) {
  const std::set<std::size_t>& positions = ordered(fluent);
  if (!positions.contains(position)) return nullptr;
  std::vector<std::size_t> compatible;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].position != position) continue;
    if (gdl::signature(steps_[i].fluent) != gdl::signature(fluent)) continue;
    analysis::Substitution substitution;
    bool unifies = true;
    for (std::size_t a = 0; a < fluent.arguments.size(); ++a) {
      unifies = unifies &&
                (positions.contains(a) ||
                 analysis::unify(steps_[i].fluent.arguments[a], fluent.arguments[a], substitution));
    }
    if (unifies) compatible.push_back(i);
  }
  if (compatible.empty()) return nullptr;
  const auto [entry, is_new] = metrics_.try_emplace(compatible);
  if (is_new) entry->second = make(compatible);
  return entry->second.get();
}

std::unique_ptr<ArgumentMetric> ArgumentMetrics::make(const std::vector<std::size_t>& steps) const {
  std::map<const analysis::BinaryRelation*, StepDirections> directions;
  for (const std::size_t i : steps) {
    const auto* relation = &relations_.at(gdl::signature(steps_[i].relation));
    bool forward = steps_[i].forward;
    // Of a relation and its inverse, one is enough.
    for (const auto& [other, of_other] : directions) {
      if (other == relation || !relation->is_inverse_of(*other)) continue;
      relation = other;
      forward = !forward;
      break;
    }
    StepDirections& of_relation = directions[relation];
    (forward ? of_relation.forward : of_relation.backward) = true;
  }
  std::optional<ArgumentMetric> metric;
  if (directions.size() == 1) {
    metric = number_metric(*directions.begin()->first, directions.begin()->second);
  }
  if (!metric) metric = graph_metric({directions.begin(), directions.end()});
  if (!features_.test(index_of(metric->kind()))) return nullptr;
  return std::make_unique<ArgumentMetric>(std::move(*metric));
}

}  // namespace zermelo::eval
