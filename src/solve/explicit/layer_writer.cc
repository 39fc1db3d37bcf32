#include "solve/explicit/layer_writer.h"

#include <fmt/format.h>

#include <cassert>

#include "base/error_name.h"
#include "solve/explicit/limit_watch.h"
#include "solve/explicit/observed_variables.h"

namespace zermelo::solve {

base::Result<Variables> variables_of_states(const StateTable& states, const ground::Game& game,
                                            const base::Limits& limits) {
  LimitWatch watch(limits);
  Variables variables = observed_variables(states, game, watch);
  if (!watch.limit()) return variables;
  return tl::unexpected(base::limit_error(*watch.limit(), "while choosing the variables"));
}

SortedLayer sorted_layer(const StateCode& code, const StateRange& range, const ground::Game& game) {
  SortedLayer layer{AssignmentTable(code.domains()), {}};
  layer.table.reserve(range.end - range.first);
  std::vector<dd::Value> assignment(code.domains().size());
  machine::State state(game.fluents.size());
  for (StateIndex s = range.first; s < range.end; ++s) {
    read_state(range.states, s, state);
    const bool fits = code.encode(state, assignment);
    assert(fits);
    static_cast<void>(fits);
    layer.table.add(assignment);
  }
  layer.order = layer.table.sort();
  for (StateIndex& s : layer.order) s += range.first;
  return layer;
}

base::Result<void> write_layers(
    const SolutionFolder& folder, Manifest manifest, std::size_t layers, const base::Limits& limits,
    const std::function<base::Result<StoredLayer>(std::size_t layer)>& write_layer) {
  for (std::size_t layer = 0; layer < layers; ++layer) {
    if (const auto limit = limits.exceeded()) {
      return tl::unexpected(
          base::limit_error(*limit, fmt::format("after writing {} of {} layers", layer, layers)));
    }
    auto stored = write_layer(layer);
    if (!stored) return tl::unexpected(stored.error());
    manifest.layers.push_back(std::move(*stored));
  }
  return folder.finish(std::move(manifest), limits);
}

}  // namespace zermelo::solve
