#include "solve/symbolic/state_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error_name.h"
#include "dd/image.h"
#include "dd/operations.h"
#include "solve/common/turn.h"
#include "solve/symbolic/state_classes.h"

namespace zermelo::solve {

using dd::Diagram;
using dd::NodeId;

bool is_empty(const Diagram& set) { return set.is_empty_set(); }

bool is_empty(const StateSets& sets) {
  return std::all_of(sets.begin(), sets.end(), [](const Diagram& set) { return is_empty(set); });
}

StateSpace::StateSpace(const symbolic::Model& model, dd::Options options)
    : model_(&model), options_(std::move(options)), deciding_(roles(), false) {}

base::Result<StateSpace> StateSpace::find(
    const symbolic::Model& model, const dd::Options& options,
    const std::function<void(const symbolic::LayerStatistics&)>& progress) {
  StateSpace space(model, options);
  if (auto explored = space.explore(progress); !explored) {
    return tl::unexpected(explored.error());
  }
  space.divide();
  if (space.failure_) return tl::unexpected(*space.failure_);
  return space;
}

// Classifies each layer as soon as it is found, so that a game is refused early.
base::Result<void> StateSpace::explore(
    const std::function<void(const symbolic::LayerStatistics&)>& progress) {
  StateClasses classes(*model_, options_);
  symbolic::LayersOptions options;
  options.diagrams = options_;
  options.progress = progress;
  options.visit = [&](const Diagram& states) { return add_layer(classes, states); };
  const auto found = symbolic::find_layers(*model_, options);
  if (!found) return tl::unexpected(found.error());
  if (!found->stopped) return {};
  if (!base::is_limit(found->stopped->kind)) return tl::unexpected(*found->stopped);
  return tl::unexpected(base::limit_error(
      found->stopped->kind, fmt::format("while finding layer {}", found->statistics.size())));
}

base::Result<void> StateSpace::add_layer(StateClasses& classes, const Diagram& found) {
  const std::size_t layer = layers_.size();
  auto states = classes.classify(layer, found, outcomes_);
  if (!states) return tl::unexpected(states.error());
  for (std::size_t role = 0; role < roles(); ++role) {
    if (deciding_[role]) continue;
    const auto decides = classes.decides(layer, *states, static_cast<NodeId>(1 + role), role);
    if (!decides) return tl::unexpected(decides.error());
    deciding_[role] = *decides;
  }
  layers_.push_back(std::move(*states));
  return {};
}

// Divides the states of all layers by class and position.
void StateSpace::divide() {
  const auto first_terminal = static_cast<NodeId>(roles() + 1);
  open_ = nowhere();
  moving_.assign(roles(), nowhere());
  terminal_.assign(outcomes_.size(), nowhere());
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    const std::size_t position = model_->encoding().clock().position(layer);
    const auto add = [&](StateSets& sets, NodeId first, NodeId end) {
      const Diagram part = marked(layers_[layer], [&](NodeId c) { return c >= first && c < end; });
      sets[position] = unite(sets[position], part);
    };
    add(open_, 1, first_terminal);
    for (NodeId role = 0; role < roles(); ++role) add(moving_[role], 1 + role, 2 + role);
    for (NodeId o = 0; o < outcomes_.size(); ++o) {
      add(terminal_[o], first_terminal + o, first_terminal + o + 1);
    }
  }
}

// The assignments, reachable or not, in which the role has a move with an effect.
Diagram StateSpace::acting(std::size_t position, std::size_t role) {
  const symbolic::PhaseModel& phase = model_->phase(position);
  const std::vector<bool> has_effect = moves_with_effect(model_->machine().game());
  Diagram found = none();
  for (const std::uint32_t move : phase.moves[role]) {
    if (!has_effect[move]) continue;
    found = unite(found, model_->conditions().diagram(phase.legal[move]));
  }
  return found;
}

std::vector<StateSets> StateSpace::turns() {
  std::vector<StateSets> turns = moving_;
  for (std::size_t p = 0; p < positions(); ++p) {
    const Diagram passes = without(common(moving_[0][p], acting(p, 1)), acting(p, 0));
    turns[0][p] = without(turns[0][p], passes);
    turns[1][p] = unite(turns[1][p], passes);
  }
  return turns;
}

std::size_t StateSpace::next(std::size_t position) const {
  return position + 1 < positions() ? position + 1 : model_->encoding().clock().back_to;
}

Diagram StateSpace::none() const { return Diagram::constant(model_->encoding().domains(), 2, 0); }

Diagram StateSpace::kept(base::Result<Diagram> result) {
  if (result && !failure_) return std::move(*result);
  if (!failure_) failure_ = result.error();
  return none();
}

Diagram StateSpace::marked(const Diagram& diagram, const std::function<bool(NodeId)>& wanted) {
  std::vector<NodeId> table(diagram.constants());
  for (NodeId c = 0; c < table.size(); ++c) table[c] = wanted(c);
  return kept(dd::relabel(diagram, table, 2, options_));
}

Diagram StateSpace::unite(const Diagram& a, const Diagram& b) {
  if (is_empty(a)) return b;
  return is_empty(b) ? a : kept(dd::union_of({a, b}, options_));
}

Diagram StateSpace::common(const Diagram& a, const Diagram& b) {
  return is_empty(a) || is_empty(b) ? none() : kept(dd::intersection_of({a, b}, options_));
}

Diagram StateSpace::without(const Diagram& a, const Diagram& b) {
  return is_empty(a) || is_empty(b) ? a : kept(dd::difference(a, b, options_));
}

StateSets StateSpace::unite(const StateSets& a, const StateSets& b) {
  StateSets all = a;
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = unite(a[p], b[p]);
  return all;
}

StateSets StateSpace::without(const StateSets& a, const StateSets& b) {
  StateSets rest = a;
  for (std::size_t p = 0; p < rest.size(); ++p) rest[p] = without(a[p], b[p]);
  return rest;
}

Diagram StateSpace::before(std::size_t position, const Diagram& set, const Diagram& within) {
  if (is_empty(set) || is_empty(within) || failure_) return none();
  return kept(dd::preimage({set, model_->phase(position).relation, {}, within}, options_));
}

Diagram StateSpace::only_before(std::size_t position, const Diagram& front, const Diagram& outside,
                                const Diagram& within) {
  const Diagram candidates = before(position, front, within);
  return without(candidates, before(position, outside, candidates));
}

Diagram StateSpace::forced_before(std::size_t position, std::size_t role, const Diagram& front,
                                  const Diagram& outside, const Diagram& within) {
  const Diagram candidates = before(position, front, within);
  const Diagram others = without(candidates, moving_[role][position]);
  return without(candidates, before(position, outside, others));
}

void StateSpace::spread(StateSets seeds, const Step& step) {
  while (!is_empty(seeds) && !failure_) {
    for (std::size_t at = positions(); at-- > 0;) {
      if (is_empty(seeds[at])) continue;
      const Diagram front = std::exchange(seeds[at], none());
      for (std::size_t p = 0; p < positions(); ++p) {
        if (next(p) == at) seeds[p] = unite(seeds[p], step(p, front));
      }
    }
  }
}

// Repeatedly removes states whose successors were all removed. If states remain, there is a cycle.
bool StateSpace::can_repeat() {
  StateSets rest = open_, ends = nowhere();
  for (const StateSets& sets : terminal_) ends = unite(ends, sets);
  spread(ends, [&](std::size_t p, const Diagram& front) {
    const Diagram gone = only_before(p, front, rest[next(p)], rest[p]);
    rest[p] = without(rest[p], gone);
    return gone;
  });
  return !is_empty(rest);
}

}  // namespace zermelo::solve
