// Layers are the distances from the initial state, in which a breadth-first search finds the
// states.

#include "solve/explicit/explicit_folder.h"

#include <algorithm>
#include <cassert>

#include "solve/explicit/distance.h"
#include "solve/explicit/layer_writer.h"

namespace zermelo::solve {
namespace {

using Part = SolutionFolder::Part;

class Writer {
 public:
  Writer(const ExplicitSolution& solution, const SolutionFolder& folder,
         const StoreOptions& options)
      : solution_(solution),
        folder_(folder),
        options_(options),
        graph_(solution.graph()),
        game_(solution.machine().game()) {}

  base::Result<void> run() {
    if (auto described = describe(); !described) return described;
    if (options_.distances) {
      auto found = distances(graph_, solution_.values(), options_.limits);
      if (!found) return tl::unexpected(found.error());
      distances_ = std::move(*found);
    }
    if (auto begun = folder_.begin(*game_.rulesheet, description_); !begun) return begun;
    if (folder_.finished()) return {};
    auto code = StateCode::make(game_, description_.variables);
    assert(code);
    Manifest manifest;
    manifest.cyclic = solution_.cyclic();
    return write_layers(folder_, std::move(manifest), graph_.layers(), options_.limits,
                        [&](std::size_t layer) { return write_layer(*code, layer); });
  }

 private:
  base::Result<void> describe() {
    description_.roles = solution_.machine().roles();
    description_.model = solution_.model();
    description_.engine = Engine::explicit_states;
    description_.algorithm = Algorithm::retrograde;
    description_.layers = LayerKind::distances;
    description_.distances = options_.distances;
    description_.outcomes = graph_.outcomes;
    const auto& values = solution_.values().values;
    if (std::find(values.begin(), values.end(), unknown_outcome) != values.end()) {
      description_.outcomes.emplace_back();
    }
    auto variables = variables_of_states(graph_.states, game_, options_.limits);
    if (!variables) return tl::unexpected(variables.error());
    description_.variables = std::move(*variables);
    return {};
  }

  // Endless play is the last outcome.
  std::size_t place(Outcome outcome) const {
    return std::min<std::size_t>(outcome, description_.outcomes.size() - 1);
  }

  dd::NodeId state_constant(StateIndex s) const {
    if (graph_.terminal[s] != unknown_outcome) {
      return description_.terminal_constant(graph_.terminal[s]);
    }
    return description_.mover_constant(graph_.movers[s] == nobody ? 0 : graph_.movers[s]);
  }
  dd::NodeId value_constant(StateIndex s) const {
    return Description::value_constant(place(solution_.values().values[s]));
  }
  dd::NodeId distance_constant(StateIndex s) const {
    return distances_[s] == no_distance ? 1 : distances_[s] + 2;
  }

  base::Result<StoredLayer> write_layer(const StateCode& code, std::size_t layer) {
    const StateRange range{graph_.states, graph_.first_of_layer[layer],
                           graph_.first_of_layer[layer + 1]};
    const SortedLayer sorted = sorted_layer(code, range, game_);
    return write_parts(sorted.table, sorted.order, layer);
  }

  base::Result<StoredLayer> write_parts(const AssignmentTable& table,
                                        const std::vector<std::uint32_t>& order,
                                        std::size_t layer) {
    const auto diagram = [&](auto constant_of, dd::Reduction reduction) {
      std::vector<dd::NodeId> constants;
      for (const std::uint32_t s : order) constants.push_back((this->*constant_of)(s));
      const dd::NodeId largest = *std::max_element(constants.begin(), constants.end());
      return table.diagram(constants, std::max(largest + 1, description_.state_constants()),
                           reduction);
    };
    const dd::Diagram states = diagram(&Writer::state_constant, dd::Reduction::exact);
    const dd::Diagram values = diagram(&Writer::value_constant, dd::Reduction::dont_care);
    if (auto saved = folder_.save(Part::states, layer, states); !saved) {
      return tl::unexpected(saved.error());
    }
    if (auto saved = folder_.save(Part::values, layer, values); !saved) {
      return tl::unexpected(saved.error());
    }
    if (options_.distances) {
      auto saved = folder_.save(Part::distances, layer,
                                diagram(&Writer::distance_constant, dd::Reduction::dont_care));
      if (!saved) return tl::unexpected(saved.error());
    }
    return summary(order, values);
  }

  StoredLayer summary(const std::vector<std::uint32_t>& states, const dd::Diagram& values) const {
    std::vector<StateIndex> by_value(description_.outcomes.size());
    StateIndex terminal = 0;
    for (const std::uint32_t s : states) {
      ++by_value[place(solution_.values().values[s])];
      terminal += graph_.terminal[s] != unknown_outcome;
    }
    StoredLayer layer;
    layer.states = std::to_string(states.size());
    layer.terminal = std::to_string(terminal);
    for (const StateIndex count : by_value) layer.by_value.push_back(std::to_string(count));
    layer.nodes = values.nodes();
    return layer;
  }

  const ExplicitSolution& solution_;
  const SolutionFolder& folder_;
  const StoreOptions& options_;
  const GameGraph& graph_;
  const ground::Game& game_;
  Description description_;
  std::vector<Distance> distances_;  // by state
};

}  // namespace

base::Result<void> store(const ExplicitSolution& solution, const SolutionFolder& folder,
                         const StoreOptions& options) {
  return Writer(solution, folder, options).run();
}

}  // namespace zermelo::solve
