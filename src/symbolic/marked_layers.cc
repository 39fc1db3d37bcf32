#include "symbolic/marked_layers.h"

#include <span>
#include <utility>

#include "dd/image.h"
#include "dd/operations.h"

namespace zermelo::symbolic {

namespace {

dd::NodeId marked(std::span<const dd::NodeId> c) {
  return c[0] != 0 && c[1] != 0 ? terminal : c[0];
}

}  // namespace

base::Result<dd::Diagram> MarkedLayers::first() {
  dd::Conditions conditions(model_.encoding().domains());
  const std::vector<dd::Value> initial = model_.initial();
  Condition all = dd::Conditions::always;
  for (std::size_t v = initial.size(); v-- > 0;) {
    all = *conditions.both(conditions.literal(v, {initial[v]}), all);
  }
  auto layer = dd::relabel(conditions.diagram(all), {0, not_terminal}, layer_constants, options_);
  return layer ? mark(std::move(*layer), model_.phase(0).terminal) : layer;
}

base::Result<dd::Diagram> MarkedLayers::successors(std::size_t layer, const dd::Diagram& states,
                                                   std::vector<bool> members,
                                                   std::vector<Condition>& conditions) {
  auto classes = take_classes(conditions);
  if (!classes) return classes;
  return dd::image({states, model_.phase(layer).relation, std::move(members), std::move(*classes)},
                   options_);
}

base::Result<dd::Diagram> MarkedLayers::mark(dd::Diagram layer,
                                             const std::vector<Condition>& conditions) {
  const dd::Combination join{layer_constants, marked, {{0, 0, 0}, {0, terminal, terminal}}};
  for (const Condition condition : conditions) {
    const auto met = dd::intersect(layer, diagram_of(condition), options_);
    if (!met) return tl::unexpected(met.error());
    if (!*met) continue;  // combining might only reorder the rows
    auto joined = dd::combine({layer, diagram_of(condition)}, join, options_);
    if (!joined) return joined;
    layer = std::move(*joined);
  }
  return layer;
}

base::Result<dd::Diagram> MarkedLayers::take_classes(std::vector<Condition>& conditions) {
  if (conditions.empty()) {
    return dd::Diagram::constant(model_.encoding().domains(), layer_constants, not_terminal);
  }
  const dd::Diagram& first = diagram_of(conditions.front());
  conditions.erase(conditions.begin());
  return dd::relabel(first, {not_terminal, terminal}, layer_constants, options_);
}

const dd::Diagram& MarkedLayers::diagram_of(Condition condition) {
  const auto known = condition_diagrams_.find(condition);
  if (known != condition_diagrams_.end()) return known->second;
  return condition_diagrams_.emplace(condition, model_.conditions().diagram(condition))
      .first->second;
}

}  // namespace zermelo::symbolic
