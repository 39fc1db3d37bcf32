// Layers are the distances from the initial state, in which a breadth-first search finds the
// states.

#include "solve/explicit/explicit_folder.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

namespace zermelo::solve {
namespace {

using Part = SolutionFolder::Part;

// The constants of one layer.
class Constants {
 public:
  Constants(const Description& description, const std::function<StoredState(StateIndex)>& stored)
      : description_(description), stored_(stored) {}

  dd::NodeId state(StateIndex s) const {
    const StoredState stored = stored_(s);
    if (stored.terminal != unknown_outcome) return description_.terminal_constant(stored.terminal);
    return description_.mover_constant(stored.mover == nobody ? 0 : stored.mover);
  }
  // Endless play is the last outcome.
  std::size_t outcome(StateIndex s) const {
    return std::min<std::size_t>(stored_(s).value, description_.outcomes.size() - 1);
  }
  dd::NodeId value(StateIndex s) const { return Description::value_constant(outcome(s)); }
  dd::NodeId distance(StateIndex s) const {
    const Distance distance = stored_(s).distance;
    return distance == no_distance ? 1 : distance + 2;
  }
  bool is_terminal(StateIndex s) const { return stored_(s).terminal != unknown_outcome; }

 private:
  const Description& description_;
  const std::function<StoredState(StateIndex)>& stored_;
};

class LayerWriter {
 public:
  LayerWriter(const SolutionFolder& folder, const Description& description, std::size_t layer,
              const std::function<StoredState(StateIndex)>& stored)
      : folder_(folder),
        description_(description),
        layer_(layer),
        constants_(description, stored) {}

  base::Result<StoredLayer> write(const SortedLayer& sorted) const {
    const auto [table, order] = std::tie(sorted.table, sorted.order);
    const dd::Diagram values = diagram(table, order, &Constants::value, dd::Reduction::dont_care);
    auto saved = folder_.save(Part::states, layer_,
                              diagram(table, order, &Constants::state, dd::Reduction::exact));
    if (saved) saved = folder_.save(Part::values, layer_, values);
    if (saved && description_.distances) {
      saved = folder_.save(Part::distances, layer_,
                           diagram(table, order, &Constants::distance, dd::Reduction::dont_care));
    }
    if (!saved) return tl::unexpected(saved.error());
    return summary(order, values);
  }

 private:
  using Constant = dd::NodeId (Constants::*)(StateIndex) const;

  dd::Diagram diagram(const AssignmentTable& table, const std::vector<StateIndex>& order,
                      Constant constant, dd::Reduction reduction) const {
    std::vector<dd::NodeId> constants;
    constants.reserve(order.size());
    for (const StateIndex s : order) constants.push_back((constants_.*constant)(s));
    const dd::NodeId largest = *std::max_element(constants.begin(), constants.end());
    return table.diagram(constants, std::max(largest + 1, description_.state_constants()),
                         reduction);
  }

  StoredLayer summary(const std::vector<StateIndex>& states, const dd::Diagram& values) const {
    std::vector<StateIndex> by_value(description_.outcomes.size());
    StateIndex terminal = 0;
    for (const StateIndex s : states) {
      ++by_value[constants_.outcome(s)];
      terminal += constants_.is_terminal(s);
    }
    StoredLayer layer;
    layer.states = std::to_string(states.size());
    layer.terminal = std::to_string(terminal);
    for (const StateIndex count : by_value) layer.by_value.push_back(std::to_string(count));
    layer.nodes = values.nodes();
    return layer;
  }

  const SolutionFolder& folder_;
  const Description& description_;
  std::size_t layer_;
  Constants constants_;
};

bool has_endless_play(const std::vector<Outcome>& values) {
  return std::find(values.begin(), values.end(), unknown_outcome) != values.end();
}

}  // namespace

Description description_of(ExplicitDescription of) {
  Description description;
  description.roles = of.machine.roles();
  description.model = of.model;
  description.engine = Engine::explicit_states;
  description.algorithm = Algorithm::retrograde;
  description.layers = LayerKind::distances;
  description.distances = of.distances;
  description.outcomes = std::move(of.outcomes);
  if (of.has_endless) description.outcomes.emplace_back();
  description.variables = std::move(of.variables);
  return description;
}

base::Result<StoredLayer> write_explicit_layer(
    const SolutionFolder& folder, const Description& description, std::size_t layer,
    const StateRange& range, const ground::Game& game,
    const std::function<StoredState(StateIndex)>& stored) {
  const auto code = StateCode::make(game, description.variables);
  assert(code);
  return LayerWriter(folder, description, layer, stored).write(sorted_layer(*code, range, game));
}

base::Result<void> store(const ExplicitSolution& solution, const SolutionFolder& folder,
                         const StoreOptions& options) {
  const GameGraph& graph = solution.graph();
  const ground::Game& game = solution.machine().game();
  const std::vector<Outcome>& values = solution.values().values;
  auto variables = variables_of_states(graph.states, game, options.limits);
  if (!variables) return tl::unexpected(variables.error());
  auto found = options.distances ? distances(graph, solution.values(), options.limits)
                                 : std::vector<Distance>();
  if (!found) return tl::unexpected(found.error());
  const Description description =
      description_of({solution.machine(), solution.model(), options.distances, graph.outcomes,
                      has_endless_play(values), std::move(*variables)});
  if (auto begun = folder.begin(*game.rulesheet, description); !begun) return begun;
  if (folder.finished()) return {};
  const auto stored = [&](StateIndex s) {
    return StoredState{graph.terminal[s], graph.movers[s], values[s],
                       found->empty() ? no_distance : (*found)[s]};
  };
  Manifest manifest;
  manifest.cyclic = solution.cyclic();
  return write_layers(
      folder, std::move(manifest), graph.layers(), options.limits, [&](std::size_t layer) {
        const StateRange range{graph.states, graph.first_of_layer[layer],
                               graph.first_of_layer[layer + 1]};
        return write_explicit_layer(folder, description, layer, range, game, stored);
      });
}

}  // namespace zermelo::solve
