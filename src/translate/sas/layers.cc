#include "translate/sas/layers.h"

#include <algorithm>

#include "base/components.h"

namespace zermelo::translate::sas {

namespace {

// What asks for the truth of a derived variable rather than its falsity.
bool asks_true(const Condition& condition) {
  return condition.equal == (condition.value == derived_true);
}

}  // namespace

void assign_layers(Task& task) {
  const auto count = static_cast<std::uint32_t>(task.variables.size());
  std::vector<std::vector<Condition>> reads(count);  // derived variables, by derived variable
  for (const Axiom& axiom : task.axioms) {
    for (const Condition& condition : axiom.conditions) {
      if (task.variables[condition.variable].is_derived) reads[axiom.variable].push_back(condition);
    }
  }
  const base::Components components =
      base::strongly_connected_components(count, [&](std::uint32_t v, std::uint64_t i) {
        return i < reads[v].size() ? reads[v][i].variable : base::no_node;
      });
  std::vector<std::vector<std::uint32_t>> members(components.count);
  for (std::uint32_t v = 0; v < count; ++v) members[components.component_of[v]].push_back(v);
  for (const std::vector<std::uint32_t>& component : members) {
    std::uint32_t layer = 0;
    for (const std::uint32_t v : component) {
      for (const Condition& read : reads[v]) {
        if (components.component_of[read.variable] != components.component_of[v])
          layer = std::max(layer, task.variables[read.variable].layer + !asks_true(read));
      }
    }
    for (const std::uint32_t v : component) task.variables[v].layer = layer;
  }
}

}  // namespace zermelo::translate::sas
