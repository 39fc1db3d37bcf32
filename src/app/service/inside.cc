#include "app/service/inside.h"

#include <algorithm>

#include "analysis/dependency_graph.h"
#include "app/draw_dependencies.h"

namespace zermelo::app {
namespace {

constexpr std::size_t max_drawn_nodes = 120;

std::vector<std::string> first_names(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.resize(std::min(names.size(), InsideView::max_names));
  return names;
}

// By symbols, as a picture of every ground fluent would be too large.
std::string drawn_dependencies(const machine::Machine& machine, const base::Limits& limits) {
  const circuit::CompiledGame& compiled = *machine.compiled();
  const auto found = analysis::find_subgames(compiled, {analysis::Grain::symbol, limits});
  if (!found) return "";
  const auto graph = analysis::dependency_graph(compiled, *found, limits);
  if (!graph || graph->nodes.size() > max_drawn_nodes) return "";
  return dependencies_as_svg(*graph);
}

void add_layers(const solve::SolutionReader& solution, InsideView& inside) {
  inside.outcomes = solution.description().outcomes;
  for (const solve::StoredLayer& layer : solution.manifest().layers) {
    inside.layers.push_back({layer.states, layer.terminal, layer.by_value, layer.nodes});
  }
}

}  // namespace

base::Result<InsideView> look_inside(const OpenGame& game, const ResourceLimits& limits,
                                     const Context& context) {
  DescribeRequest request;
  request.rules = game.rules();
  request.limits = limits;
  auto description = describe(request, context);
  if (!description) return tl::unexpected(description.error());
  InsideView inside;
  inside.description = std::move(*description);
  inside.roles = game.roles();
  if (const auto machine = game.simulator()->machine()) {
    inside.fluents = first_names(machine->game().fluent_names());
    for (std::size_t role = 0; role < inside.roles.size(); ++role) {
      std::vector<std::string> names;
      for (const machine::Move move : machine->moves(role))
        names.push_back(machine->move_name(move));
      inside.moves.push_back(first_names(std::move(names)));
    }
    inside.dependencies = drawn_dependencies(*machine, limits.start(context));
  }
  inside.moves.resize(inside.roles.size());
  game.with_solution([&](const solve::SolutionReader& solution) { add_layers(solution, inside); });
  return inside;
}

}  // namespace zermelo::app
