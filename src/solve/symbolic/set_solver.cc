#include "solve/symbolic/set_solver.h"

#include <cassert>

#include "dd/operations.h"
#include "solve/folder/diagram_variables.h"
#include "solve/symbolic/set_algorithms.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;
using Part = SolutionFolder::Part;

base::Result<Classification> classify(StateSpace& space, Algorithm algorithm, OpponentModel model) {
  switch (algorithm) {
    case Algorithm::matrix:
      return classify_by_matrix(space, model);
    case Algorithm::partition:
      return partition_by_reward(space);
    case Algorithm::zero_sum:
      return classify_zero_sum(space);
    default:
      return classify_by_strong_preimages(space, model);
  }
}

// Checks the number of roles before any work is done.
base::Result<void> check_roles(Algorithm algorithm, std::size_t roles) {
  const bool single = algorithm == Algorithm::partition;
  if (algorithm == Algorithm::retrograde || roles == (single ? 1 : 2)) return {};
  return base::fail(
      base::ErrorKind::not_applicable,
      "the algorithm " + name_of(algorithm) + " requires " + (single ? "one role" : "two roles"));
}

// Writes a classification to a folder.
class BucketWriter {
 public:
  BucketWriter(const StateSpace& space, const Classification& classification,
               const SolutionFolder& folder, dd::Options options, Description description)
      : space_(space),
        classification_(classification),
        folder_(folder),
        options_(std::move(options)),
        description_(std::move(description)) {
    description_.outcomes = space.outcomes();
    if (!is_empty(classification.buckets.back())) description_.outcomes.emplace_back();
  }

  base::Result<void> run() {
    const gdl::Rulesheet& rules = *space_.model().machine().game().rulesheet;
    if (auto begun = folder_.begin(rules, description_); !begun) return begun;
    Manifest manifest{classification_.cyclic, {}};
    for (std::size_t layer = 0; layer < space_.layers().size(); ++layer) {
      auto stored = write_layer(layer);
      if (!stored) return tl::unexpected(stored.error());
      manifest.layers.push_back(std::move(*stored));
    }
    return folder_.finish(std::move(manifest), options_.limits);
  }

 private:
  base::Result<StoredLayer> write_layer(std::size_t layer) {
    const Diagram& states = space_.layers()[layer];
    const auto exact = values_of(layer);
    if (!exact) return tl::unexpected(exact.error());
    const auto values = dd::simplify(*exact, states, options_);
    if (!values) return tl::unexpected(values.error());
    for (const auto& [part, diagram] : {std::pair(Part::states, states), {Part::values, *values}}) {
      if (auto saved = folder_.save(part, layer, diagram); !saved) {
        return tl::unexpected(saved.error());
      }
    }
    auto stored = counted(states, *exact);
    if (!stored) return stored;
    stored->nodes = values->nodes();
    stored->fixed = clock_fluents(space_.model(), layer);
    return stored;
  }

  // The value of every state of the layer, 0 elsewhere.
  base::Result<Diagram> values_of(std::size_t layer) const {
    const std::size_t position = space_.model().encoding().clock().position(layer);
    const Diagram& states = space_.layers()[layer];
    base::Result<Diagram> values =
        Diagram::constant(states.domains(), description_.value_constants(), 0);
    for (NodeId o = 0; o < description_.outcomes.size() && values; ++o) {
      const Diagram& bucket = classification_.buckets[o][position];
      if (is_empty(bucket)) continue;
      const dd::Combination join{description_.value_constants(), [o](std::span<const NodeId> c) {
                                   return c[1] != 0 && c[2] != 0 ? o + 1 : c[0];
                                 }};
      values = dd::combine({*values, bucket, states}, join, options_);
    }
    return values;
  }

  base::Result<StoredLayer> counted(const Diagram& states, const Diagram& values) const {
    auto stored = count_states(description_, states, options_);
    if (!stored) return stored;
    const auto by_value = values.counts(options_);
    if (!by_value) return tl::unexpected(by_value.error());
    for (NodeId c = 1; c < by_value->size(); ++c) {
      stored->by_value.push_back((*by_value)[c].get_str());
    }
    return stored;
  }

  const StateSpace& space_;
  const Classification& classification_;
  const SolutionFolder& folder_;
  dd::Options options_;
  Description description_;  // endless play among the outcomes if it occurs
};

// The description in the folder, or that of a new run, which does not know the outcomes yet.
base::Result<Description> describe(const std::shared_ptr<const machine::Machine>& machine,
                                   const SolutionFolder& folder, Algorithm algorithm,
                                   const SymbolicOptions& options) {
  const gdl::Rulesheet& rules = *machine->game().rulesheet;
  const auto begun = folder.claim(rules);
  if (!begun) return tl::unexpected(begun.error());
  Description description;
  description.roles = machine->roles();
  description.model = options.model;
  description.engine = Engine::symbolic;
  description.algorithm = algorithm;
  description.layers = LayerKind::distances;
  if (!*begun) {
    description.variables = chosen_variables(machine, options.limits);
    return description;
  }
  description.outcomes = (*begun)->outcomes;
  description.variables = (*begun)->variables;
  if (auto same = folder.begin(rules, description); !same) return tl::unexpected(same.error());
  return description;
}

std::function<void(const symbolic::LayerStatistics&)> reporter(const SymbolicOptions& options) {
  if (!options.progress) return {};
  return [&options](const symbolic::LayerStatistics& layer) {
    options.progress(
        {false, layer.layer, layer.layer + 1, layer.states.get_str(), layer.nodes, std::nullopt});
  };
}

}  // namespace

base::Result<void> solve_by_sets(std::shared_ptr<const machine::Machine> machine,
                                 const SolutionFolder& folder, Algorithm algorithm,
                                 const SymbolicOptions& options) {
  assert(is_set_algorithm(algorithm));
  if (options.distances.value_or(false)) {
    return base::fail(base::ErrorKind::not_applicable,
                      "the symbolic algorithm " + name_of(algorithm) + " computes no distances");
  }
  if (auto fits = check_roles(algorithm, machine->roles().size()); !fits) return fits;
  auto description = describe(machine, folder, algorithm, options);
  if (!description) return tl::unexpected(description.error());
  if (folder.finished()) return {};
  const auto model = model_with(description->variables, std::move(machine), options.limits);
  if (!model) return tl::unexpected(model.error());
  const dd::Options diagrams = diagram_options(folder, options);
  auto space = StateSpace::find(*model, diagrams, reporter(options));
  if (!space) return tl::unexpected(space.error());
  const auto classification = classify(*space, algorithm, options.model);
  if (!classification) return tl::unexpected(classification.error());
  return BucketWriter(*space, *classification, folder, diagrams, std::move(*description)).run();
}

}  // namespace zermelo::solve
