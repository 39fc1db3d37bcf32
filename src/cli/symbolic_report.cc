#include "cli/symbolic_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/output.h"
#include "symbolic/model.h"
#include "symbolic/variables.h"

namespace zermelo::cli {
namespace {

using Json = nlohmann::ordered_json;

// A row of children as a binary tree over the bits of the value, the highest first, where codes
// beyond the last value lead where that does: adds the parts of it that are nodes.
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

Json as_json(const std::vector<SymbolicFacts::Phase>& phases) {
  Json result = Json::array();
  for (const SymbolicFacts::Phase& phase : phases) {
    Json terminal = Json::array();
    for (const TerminalCondition& condition : phase.terminal) {
      terminal.push_back({{"nodes", condition.nodes}, {"binary_nodes", condition.binary_nodes}});
    }
    result.push_back({{"joint_moves", phase.joint_moves},
                      {"relation_nodes", phase.relation_nodes},
                      {"terminal", terminal}});
  }
  return result;
}

template <class Number>
std::string joined(const std::vector<SymbolicFacts::Phase>& phases, Number number) {
  std::vector<std::string> parts;
  for (const SymbolicFacts::Phase& phase : phases) parts.push_back(number(phase));
  constexpr std::size_t shown = 8;
  if (parts.size() > shown) {
    parts.resize(shown);
    parts.push_back("...");
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string terminal_sizes(const SymbolicFacts::Phase& phase) {
  std::vector<std::string> sizes;
  for (const TerminalCondition& condition : phase.terminal)
    sizes.push_back(grouped(condition.nodes));
  return fmt::format("{}", fmt::join(sizes, " + "));
}

// "cell 1 1 b" of several: the first and how many more.
std::string short_name(const std::vector<std::string>& fluents) {
  return fluents.front() + (fluents.size() > 1 ? fmt::format(" +{}", fluents.size() - 1) : "");
}

}  // namespace

base::Result<SymbolicFacts> symbolic_facts(const std::shared_ptr<const machine::Machine>& machine,
                                           const SymbolicRequest& request) {
  symbolic::ModelOptions options;
  options.limits = request.limits;
  options.group_seconds = request.group_seconds;
  const auto chosen = symbolic::choose_variables(machine, options, request.groups);
  const symbolic::Encoding& listed = chosen.listed;
  const symbolic::Encoding ordered = chosen.ordered();
  SymbolicFacts facts;
  facts.order = chosen.order;
  const auto model = symbolic::build_model(machine, ordered, options);
  if (!model) return tl::unexpected(model.error());
  facts.phases = phases_of(*model);
  const auto as_listed = symbolic::build_model(machine, listed, options);
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

Json as_json(const SymbolicFacts& facts) {
  return {{"variables", facts.variables},
          {"clock", {{"fluents", facts.clock_fluents}, {"positions", facts.clock_positions}}},
          {"order",
           {{"origin", facts.order.origin},
            {"cost", facts.order.cost},
            {"evaluations", facts.order.evaluations}}},
          {"phases", as_json(facts.phases)},
          {"phases_as_listed", as_json(facts.phases_as_listed)}};
}

std::vector<std::pair<std::string, std::string>> symbolic_lines(const SymbolicFacts& facts) {
  std::vector<std::string> names;
  for (const auto& fluents : facts.variables) names.push_back(short_name(fluents));
  const auto relation = [](const auto& phase) { return grouped(phase.relation_nodes); };
  const auto moves = [](const auto& phase) { return grouped(phase.joint_moves); };
  return {{"variables", fmt::format("{}; {} run by themselves", grouped(facts.variables.size()),
                                    counted(facts.clock_fluents, "fluent"))},
          {"ordered by", facts.order.origin},
          {"from the top", fmt::format("{}", fmt::join(names, ", "))},
          {"joint moves", joined(facts.phases, moves)},
          {"relation nodes", joined(facts.phases, relation)},
          {"terminal nodes", joined(facts.phases, terminal_sizes)}};
}

}  // namespace zermelo::cli
