// Layers are the distances from the initial state, in which a breadth-first search finds the
// states. The variables of the diagrams are groups of fluents of which no two hold together. All
// states are in memory, so this is not proved but observed: in the order of the names, each fluent
// joins the first group whose members never hold together with it. Sorting by name keeps the
// fluents of one cell of a board together.

#include "solve/explicit/explicit_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/error_name.h"
#include "solve/explicit/distance.h"
#include "solve/explicit/limit_watch.h"
#include "solve/explicit/table_diagram.h"
#include "solve/folder/state_code.h"

namespace zermelo::solve {
namespace {

using Part = SolutionFolder::Part;

// Reads a state into memory that is reused.
void read_state(const GameGraph& graph, StateIndex index, machine::State& state) {
  const StateTable::Words words = graph.states[index];
  std::copy(words.begin(), words.end(), state.words().begin());
}

// By fluent, the fluents that hold together with it in some state, including itself.
std::vector<machine::State> companions(const GameGraph& graph, std::size_t fluents,
                                       LimitWatch& watch) {
  std::vector<machine::State> together(fluents, machine::State(fluents));
  machine::State state(fluents);
  for (StateIndex s = 0; s < graph.size() && !watch.stopped(); ++s) {
    read_state(graph, s, state);
    state.for_each([&](std::size_t fluent) { together[fluent] |= state; });
  }
  return together;
}

using Group = std::vector<ground::Atom>;
constexpr std::size_t max_members = 0xffff;  // with "none", a value has 16 bits

std::vector<Group> exclusive_groups(const std::vector<machine::State>& together,
                                    const std::vector<std::string>& names) {
  std::vector<ground::Atom> order(names.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](ground::Atom a, ground::Atom b) { return names[a] < names[b]; });
  std::vector<Group> groups;
  for (const ground::Atom fluent : order) {
    if (!together[fluent].test(fluent)) continue;
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& members) {
      return members.size() < max_members &&
             std::none_of(members.begin(), members.end(),
                          [&](ground::Atom other) { return together[fluent].test(other); });
    });
    (group == groups.end() ? groups.emplace_back() : *group).push_back(fluent);
  }
  return groups;
}

// By group, whether some state has none of its fluents.
std::vector<bool> sometimes_none(const GameGraph& graph, const std::vector<Group>& groups,
                                 std::size_t fluents, LimitWatch& watch) {
  std::vector<std::uint32_t> group_of(fluents);
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const ground::Atom fluent : groups[g]) group_of[fluent] = g;
  }
  std::vector<StateIndex> with_one(groups.size());
  machine::State state(fluents);
  for (StateIndex s = 0; s < graph.size() && !watch.stopped(); ++s) {
    read_state(graph, s, state);
    state.for_each([&](std::size_t f) { ++with_one[group_of[f]]; });
  }
  std::vector<bool> none(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) none[g] = with_one[g] < graph.size();
  return none;
}

// The result is incomplete if the watch has stopped.
Variables variables_of(const GameGraph& graph, const ground::Game& game, LimitWatch& watch) {
  const std::size_t fluents = game.fluents.size();
  std::vector<std::string> names;
  for (ground::Atom f = 0; f < fluents; ++f) names.push_back(game.fluent_name(f));
  const std::vector<Group> groups = exclusive_groups(companions(graph, fluents, watch), names);
  if (watch.limit()) return {};
  const std::vector<bool> none = sometimes_none(graph, groups, fluents, watch);
  Variables variables;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<std::string>& values = variables.emplace_back();
    if (none[g]) values.emplace_back();
    for (const ground::Atom fluent : groups[g]) values.push_back(names[fluent]);
  }
  return variables;
}

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
    for (std::size_t layer = 0; layer < graph_.layers(); ++layer) {
      if (const auto limit = options_.limits.exceeded()) {
        return tl::unexpected(base::limit_error(
            *limit, fmt::format("after writing {} of {} layers", layer, graph_.layers())));
      }
      auto stored = write_layer(*code, layer);
      if (!stored) return tl::unexpected(stored.error());
      manifest.layers.push_back(std::move(*stored));
    }
    return folder_.finish(std::move(manifest), options_.limits);
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
    LimitWatch watch(options_.limits);
    description_.variables = variables_of(graph_, game_, watch);
    if (!watch.limit()) return {};
    return tl::unexpected(base::limit_error(*watch.limit(), "while choosing the variables"));
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
    const StateIndex first = graph_.first_of_layer[layer], end = graph_.first_of_layer[layer + 1];
    AssignmentTable table(code.domains());
    table.reserve(end - first);
    std::vector<dd::Value> assignment(code.domains().size());
    machine::State state(game_.fluents.size());
    for (StateIndex s = first; s < end; ++s) {
      read_state(graph_, s, state);
      const bool fits = code.encode(state, assignment);
      assert(fits);
      static_cast<void>(fits);
      table.add(assignment);
    }
    std::vector<std::uint32_t> order = table.sort();
    for (std::uint32_t& s : order) s += first;
    return write_parts(table, order, layer);
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
