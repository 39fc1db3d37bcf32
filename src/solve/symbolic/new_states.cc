// A layer of the layered solver has all states after the same number of moves, so a state can be in
// several layers. It is counted in the first of them. The layers are read again in order. For every
// position of the clock, the union of the layers so far is kept, and a layer is counted without the
// states of that union. States at different positions of the clock differ, so a layer that is the
// only one at its position needs no counting.

#include "solve/symbolic/new_states.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "dd/diagram.h"
#include "dd/file.h"
#include "dd/operations.h"

namespace zermelo::solve {
namespace {

using dd::Diagram;
using dd::NodeId;
using Part = SolutionFolder::Part;

class NewStatesCounter {
 public:
  NewStatesCounter(const SolutionFolder& folder, const Description& description,
                   const symbolic::Clock& clock, const dd::Options& options)
      : folder_(folder), description_(description), clock_(clock), options_(options) {}

  // Layers must be passed in order.
  base::Result<void> count(std::size_t k, bool is_last_at_position, StoredLayer& layer) {
    const auto states = load(Part::states, k);
    if (!states) return tl::unexpected(states.error());
    const auto known = known_.find(clock_.position(k));
    if (known == known_.end()) return remember(k, set_of(*states));
    if (auto counted = count_without(known->second, *states, k, layer); !counted) return counted;
    if (is_last_at_position) return {};
    return remember(k, dd::union_of({known->second, *states}, options_));
  }

 private:
  base::Result<Diagram> load(Part part, std::size_t k) const {
    return dd::load(folder_.file(part, k), options_);
  }

  base::Result<Diagram> set_of(const Diagram& states) const {
    std::vector<NodeId> table(states.constants(), 1);
    table[0] = 0;
    return dd::relabel(states, table, 2, options_);
  }

  base::Result<void> remember(std::size_t k, base::Result<Diagram> set) {
    if (!set) return tl::unexpected(set.error());
    known_.insert_or_assign(clock_.position(k), std::move(*set));
    return {};
  }

  base::Result<void> count_without(const Diagram& known, const Diagram& states, std::size_t k,
                                   StoredLayer& layer) const {
    const dd::Combination subtract{states.constants(),
                                   [](std::span<const NodeId> c) { return c[1] == 0 ? c[0] : 0; },
                                   {{0, 0, 0}, {1, 1, 0}}};
    const auto rest = dd::combine({states, known}, subtract, options_);
    if (!rest) return tl::unexpected(rest.error());
    const auto counted = count_states(description_, *rest, options_);
    if (!counted) return tl::unexpected(counted.error());
    layer.new_states.reset();
    if (counted->states == layer.states) return {};
    auto by_value = count_by_value(*rest, k);
    if (!by_value) return tl::unexpected(by_value.error());
    layer.new_states = NewStates{counted->states, counted->terminal, std::move(*by_value)};
    return {};
  }

  base::Result<std::vector<std::string>> count_by_value(const Diagram& states,
                                                        std::size_t k) const {
    const auto values = load(Part::values, k);
    if (!values) return tl::unexpected(values.error());
    const dd::Combination valued{description_.value_constants(),
                                 [](std::span<const NodeId> c) { return c[0] == 0 ? 0 : c[1]; },
                                 {{0, 0, 0}}};
    const auto joined = dd::combine({states, *values}, valued, options_);
    if (!joined) return tl::unexpected(joined.error());
    const auto counts = joined->counts(options_);
    if (!counts) return tl::unexpected(counts.error());
    std::vector<std::string> by_value;
    for (NodeId c = 1; c < counts->size(); ++c) by_value.push_back((*counts)[c].get_str());
    return by_value;
  }

  const SolutionFolder& folder_;
  const Description& description_;
  const symbolic::Clock& clock_;
  const dd::Options& options_;
  std::map<std::size_t, Diagram> known_;  // by position of the clock, all states so far
};

}  // namespace

base::Result<void> count_new_states(const SolutionFolder& folder, const Description& description,
                                    const symbolic::Clock& clock, const dd::Options& options,
                                    std::vector<StoredLayer>& layers) {
  NewStatesCounter counter(folder, description, clock, options);
  for (std::size_t k = clock.back_to; k < layers.size(); ++k) {
    const bool is_last = k + clock.period() >= layers.size();
    if (k < clock.positions() && is_last) continue;  // the only layer at its position
    if (auto counted = counter.count(k, is_last, layers[k]); !counted) return counted;
  }
  return {};
}

}  // namespace zermelo::solve
