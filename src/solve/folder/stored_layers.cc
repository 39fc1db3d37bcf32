#include "solve/folder/stored_layers.h"

#include "ground/ground.h"

namespace zermelo::solve {

base::Result<std::shared_ptr<const machine::Machine>> compile_rules(const SolutionFolder& folder,
                                                                    const base::Limits& limits) {
  auto rules = folder.rules(limits);
  if (!rules) return tl::unexpected(rules.error());
  auto game = ground::ground(*rules, {limits});
  if (!game) return tl::unexpected(game.error());
  return machine::Machine::make(std::move(*game), limits);
}

base::Result<std::vector<machine::State>> fixed_fluents(const Manifest& manifest,
                                                        const ground::Game& game) {
  const auto fluent_of = game.fluents_by_name();
  std::vector<machine::State> fixed;
  for (const StoredLayer& layer : manifest.layers) {
    machine::State& state = fixed.emplace_back(game.fluents.size());
    for (const std::string& name : layer.fixed) {
      const auto found = fluent_of.find(name);
      if (found == fluent_of.end()) {
        return base::fail(base::ErrorKind::unreadable_input,
                          "a layer has a fluent that the rules do not have: " + name);
      }
      state.set(found->second);
    }
  }
  return fixed;
}

StoredLayers::StoredLayers(SolutionFolder folder, Manifest manifest, StateCode code,
                           std::vector<machine::State> fixed)
    : folder_(std::move(folder)),
      manifest_(std::move(manifest)),
      code_(std::move(code)),
      fixed_(std::move(fixed)) {}

base::Result<StoredLayers> StoredLayers::open(SolutionFolder folder, Manifest manifest,
                                              const Variables& variables,
                                              const ground::Game& game) {
  auto code = StateCode::make(game, variables);
  if (!code) return tl::unexpected(code.error());
  auto fixed = fixed_fluents(manifest, game);
  if (!fixed) return tl::unexpected(fixed.error());
  return StoredLayers(std::move(folder), std::move(manifest), std::move(*code), std::move(*fixed));
}

// near, near + 1, near - 1, near + 2, ...
std::vector<std::size_t> StoredLayers::layers_around(std::size_t near) const {
  const std::size_t layers = manifest_.layers.size();
  std::vector<std::size_t> order;
  for (std::size_t step = 0; order.size() < layers; ++step) {
    if (near + step < layers) order.push_back(near + step);
    if (step > 0 && step <= near && near - step < layers) order.push_back(near - step);
  }
  return order;
}

base::Result<dd::NodeId> StoredLayers::constant(Part part, std::size_t layer,
                                                const std::vector<dd::Value>& assignment) {
  auto file = files_.find({part, layer});
  if (file == files_.end()) {
    auto opened = folder_.open(part, layer, manifest_.layers[layer], code_.domains());
    if (!opened) return tl::unexpected(opened.error());
    file = files_.emplace(std::pair(part, layer), std::move(*opened)).first;
  }
  return file->second.evaluate(assignment);
}

base::Result<StoredLayers::Place> StoredLayers::find(const machine::State& state,
                                                     std::size_t near) {
  const machine::State outside = code_.outside(state);
  Place place;
  place.assignment.resize(code_.domains().size());
  const bool fits = code_.encode(state, place.assignment);
  for (const std::size_t layer : layers_around(near)) {
    if (!fits || outside != fixed_[layer]) continue;
    const auto found = constant(Part::states, layer, place.assignment);
    if (!found) return tl::unexpected(found.error());
    if (*found == 0) continue;
    place.layer = layer;
    place.state = *found;
    return place;
  }
  return base::fail(base::ErrorKind::not_applicable, "the state is not reachable");
}

}  // namespace zermelo::solve
