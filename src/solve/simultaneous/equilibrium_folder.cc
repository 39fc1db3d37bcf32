// Layers are the distances from the initial state. Each has a diagram of its states, one of the
// numbers of their equilibria, and a table of the different equilibria, in the order in which the
// sorted states need them.

#include "solve/simultaneous/equilibrium_folder.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>

#include "solve/explicit/layer_writer.h"

namespace zermelo::solve {
namespace {

class EquilibriumWriter {
 public:
  EquilibriumWriter(const EquilibriumSolution& solution, const SolutionFolder& folder,
                    const base::Limits& limits)
      : solution_(solution),
        folder_(folder),
        limits_(limits),
        graph_(solution.graph()),
        game_(solution.machine()->game()) {}

  base::Result<void> run() {
    if (auto described = describe(); !described) return described;
    if (auto begun = folder_.begin(*game_.rulesheet, description_); !begun) return begun;
    if (folder_.finished()) return {};
    const auto code = StateCode::make(game_, description_.variables);
    assert(code);
    Manifest manifest;
    return write_layers(folder_, std::move(manifest), graph_.layers(), limits_,
                        [&](std::size_t layer) { return write_layer(*code, layer); });
  }

 private:
  base::Result<void> describe() {
    description_.roles = solution_.machine()->roles();
    description_.model = solution_.model();
    description_.engine = Engine::explicit_states;
    description_.algorithm = Algorithm::retrograde;
    description_.solution_concept = solution_.solution_concept();
    description_.layers = LayerKind::distances;
    description_.outcomes = graph_.outcomes;
    auto variables = variables_of_states(graph_.states, game_, limits_);
    if (!variables) return tl::unexpected(variables.error());
    description_.variables = std::move(*variables);
    return {};
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
    std::vector<dd::NodeId> states, values;
    std::vector<Equilibrium> equilibria;
    std::unordered_map<EquilibriumTable::Number, dd::NodeId> constant_of;
    StateIndex terminal = 0;
    for (const std::uint32_t s : order) {
      const bool is_terminal = graph_.terminal[s] != unknown_outcome;
      terminal += is_terminal;
      states.push_back(is_terminal ? description_.terminal_constant(graph_.terminal[s]) : 1);
      const auto [entry, is_new] = constant_of.try_emplace(
          solution_.number(s), static_cast<dd::NodeId>(equilibria.size() + 1));
      if (is_new) equilibria.push_back(solution_.equilibrium(s));
      values.push_back(entry->second);
    }
    const dd::Diagram of_values = table.diagram(
        values, static_cast<dd::NodeId>(equilibria.size() + 1), dd::Reduction::dont_care);
    auto saved =
        folder_.save(SolutionFolder::Part::states, layer,
                     table.diagram(states, description_.state_constants(), dd::Reduction::exact));
    if (saved) saved = folder_.save(SolutionFolder::Part::values, layer, of_values);
    if (saved) saved = folder_.save_equilibria(layer, equilibria);
    if (!saved) return tl::unexpected(saved.error());
    StoredLayer stored;
    stored.states = std::to_string(order.size());
    stored.terminal = std::to_string(terminal);
    stored.nodes = of_values.nodes();
    return stored;
  }

  const EquilibriumSolution& solution_;
  const SolutionFolder& folder_;
  const base::Limits& limits_;
  const JointGraph& graph_;
  const ground::Game& game_;
  Description description_;
};

}  // namespace

base::Result<void> store(const EquilibriumSolution& solution, const SolutionFolder& folder,
                         const base::Limits& limits) {
  return EquilibriumWriter(solution, folder, limits).run();
}

}  // namespace zermelo::solve
