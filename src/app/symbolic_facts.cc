#include "app/symbolic_facts.h"

#include <algorithm>
#include <bit>
#include <set>

#include "symbolic/model.h"
#include "symbolic/variables.h"

namespace zermelo::app {
namespace {

// Views a row of children as a binary tree over the bits of the value, highest bit first. Codes
// beyond the last value lead where the last value does. Adds the parts of the tree that are nodes.
void add_parts(std::vector<dd::NodeId> row, std::set<std::vector<dd::NodeId>>& parts) {
  row.resize(std::bit_ceil(row.size()), row.back());
  std::vector<std::vector<dd::NodeId>> open = {row};
  while (!open.empty()) {
    std::vector<dd::NodeId> part = std::move(open.back());
    open.pop_back();
    if (part.size() == 1) continue;
    const auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
    open.emplace_back(part.begin(), middle);
    if (std::equal(part.begin(), middle, middle)) continue;
    open.emplace_back(middle, part.end());
    parts.insert(std::move(part));
  }
}

std::size_t binary_nodes(const dd::Diagram& diagram) {
  std::size_t nodes = 0;
  for (std::size_t l = 0; l < diagram.variables(); ++l) {
    const auto& children = diagram.level(l).children;
    const std::size_t values = diagram.domains()[l];
    std::set<std::vector<dd::NodeId>> parts;
    for (auto row = children.begin(); row != children.end();
         row += static_cast<std::ptrdiff_t>(values)) {
      add_parts({row, row + static_cast<std::ptrdiff_t>(values)}, parts);
    }
    nodes += parts.size();
  }
  return nodes;
}

std::vector<SymbolicFacts::Phase> phases_of(const symbolic::Model& model) {
  std::vector<SymbolicFacts::Phase> phases;
  for (const symbolic::PhaseModel& phase : model.phases()) {
    SymbolicFacts::Phase& added = phases.emplace_back();
    added.joint_moves = phase.joint_moves;
    added.relation_nodes = phase.relation.nodes();
    for (const symbolic::Condition condition : phase.terminal) {
      const dd::Diagram diagram = model.conditions().diagram(condition);
      added.terminal.push_back({diagram.nodes(), binary_nodes(diagram)});
    }
  }
  return phases;
}

}  // namespace

base::Result<SymbolicFacts> symbolic_facts(const std::shared_ptr<const machine::Machine>& machine,
                                           const SymbolicFactsOptions& options) {
  symbolic::ModelOptions model_options;
  model_options.limits = options.limits;
  model_options.group_seconds = options.group_seconds;
  const auto chosen = symbolic::choose_variables(machine, model_options, options.groups);
  const symbolic::Encoding& listed = chosen.listed;
  const symbolic::Encoding ordered = chosen.ordered();
  SymbolicFacts facts;
  facts.order = chosen.order;
  const auto model = symbolic::build_model(machine, ordered, model_options);
  if (!model) return tl::unexpected(model.error());
  facts.phases = phases_of(*model);
  const auto as_listed = symbolic::build_model(machine, listed, model_options);
  if (as_listed) facts.phases_as_listed = phases_of(*as_listed);
  for (const symbolic::Variable& variable : ordered.variables()) {
    auto& names = facts.variables.emplace_back();
    for (const ground::Atom fluent : variable.fluents) {
      names.push_back(machine->game().fluent_name(fluent));
    }
  }
  facts.clock_fluents = listed.clock().fluents.size();
  facts.clock_positions = listed.clock().positions();
  return facts;
}

}  // namespace zermelo::app
