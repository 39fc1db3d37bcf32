// If-then-else over multi-valued nodes with a unique table and a computed table, as in Brace,
// Rudell and Bryant, "Efficient Implementation of a BDD Package" (DAC 1990). There are no
// complement edges and no garbage collection: a condition is small, and the builder is destroyed
// once its conditions have become diagrams.

#include "dd/conditions.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dd/codes.h"
#include "dd/stop.h"

namespace zermelo::dd {

namespace {

constexpr std::size_t first_slots = 1024;

std::uint64_t hash_of(std::size_t level, std::span<const Conditions::Id> children) {
  return finish_hash(mix(level, hash_words(children.data(), children.size())));
}

}  // namespace

Conditions::Conditions(Domains domains, std::size_t max_nodes, base::Limits limits)
    : domains_(std::move(domains)),
      max_nodes_(max_nodes),
      limits_(std::move(limits)),
      table_(first_slots, never),
      results_(first_slots) {
  nodes_.assign(2, {domains_.size(), 0});
}

Conditions::Id Conditions::literal(std::size_t variable, std::span<const Value> values) {
  std::vector<Id> children(domains_[variable], never);
  for (const Value value : values) children[value] = always;
  return unique(variable, children);
}

Conditions::Id Conditions::unique(std::size_t level, std::span<const Id> children) {
  if (std::all_of(children.begin(), children.end(), [&](Id c) { return c == children[0]; })) {
    return children[0];
  }
  const std::size_t mask = table_.size() - 1;
  std::size_t at = hash_of(level, children) & mask;
  for (; table_[at] != never; at = (at + 1) & mask) {
    const Node& node = nodes_[table_[at]];
    if (node.level == level &&
        std::equal(children.begin(), children.end(), children_.data() + node.children)) {
      return table_[at];
    }
  }
  const Id id = table_[at] = static_cast<Id>(nodes_.size());
  nodes_.push_back({level, children_.size()});
  children_.insert(children_.end(), children.begin(), children.end());
  if (nodes_.size() * 2 > table_.size()) make_table(table_.size() * 2);
  return id;
}

void Conditions::make_table(std::size_t slots) {
  table_.assign(slots, never);
  const std::size_t mask = table_.size() - 1;
  for (Id id = always + 1; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    std::size_t at =
        hash_of(node.level, {children_.data() + node.children, domains_[node.level]}) & mask;
    while (table_[at] != never) at = (at + 1) & mask;
    table_[at] = id;
  }
}

void Conditions::forget_after(std::size_t nodes) {
  if (nodes == nodes_.size()) return;
  children_.resize(nodes_[nodes].children);
  nodes_.resize(nodes);
  make_table(table_.size());
  results_.assign(results_.size(), {});
  known_results_ = 0;
}

// Returns the slot of a triple, or the free slot where it belongs.
Conditions::Known& Conditions::slot_of(const Triple& triple) {
  const std::uint32_t words[] = {triple.condition, triple.then, triple.otherwise};
  const std::size_t mask = results_.size() - 1;
  std::size_t at = hash_words(words, 3) & mask;
  while (results_[at].triple.condition != never && results_[at].triple != triple) {
    at = (at + 1) & mask;
  }
  return results_[at];
}

void Conditions::remember(const Triple& triple, Id value) {
  slot_of(triple) = {triple, value};
  if (++known_results_ * 2 <= results_.size()) return;
  if (limits_.exceeded(2 * results_.size() * sizeof(Known))) {  // results can be found again
    results_.assign(results_.size(), {});
    known_results_ = 0;
    return;
  }
  const std::vector<Known> before =
      std::exchange(results_, std::vector<Known>(results_.size() * 2));
  for (const Known& result : before) {
    if (result.triple.condition != never) slot_of(result.triple) = result;
  }
}

std::optional<base::Error> Conditions::exhausted() {
  if (nodes_.size() > max_nodes_) {
    return base::Error{base::ErrorKind::memory_limit, "the conditions have too many nodes"};
  }
  constexpr std::size_t interval = 4096;
  if (++steps_ % interval != 0) return std::nullopt;
  const auto stop = exceeded(limits_);
  if (!stop) return std::nullopt;
  return error_of(*stop);
}

base::Result<Conditions::Id> Conditions::if_then_else(Id condition, Id then, Id otherwise) {
  if (condition == always || then == otherwise) return then;
  if (condition == never) return otherwise;
  if (then == always && otherwise == never) return condition;
  const Triple triple{condition, then, otherwise};
  const Known& known = slot_of(triple);
  if (known.triple.condition != never) return known.value;
  if (auto error = exhausted()) return tl::unexpected(std::move(*error));
  const base::Result<Id> result = expand(triple);
  if (result) remember(triple, *result);
  return result;
}

base::Result<Conditions::Id> Conditions::expand(const Triple& triple) {
  const std::size_t level = std::min(
      {nodes_[triple.condition].level, nodes_[triple.then].level, nodes_[triple.otherwise].level});
  const std::size_t begin = pending_.size(), values = domains_[level];
  for (Value value = 0; value < values; ++value) {
    const auto result =
        if_then_else(child(triple.condition, level, value), child(triple.then, level, value),
                     child(triple.otherwise, level, value));
    if (!result) {
      pending_.resize(begin);
      return result;
    }
    pending_.push_back(*result);
  }
  const Id id = unique(level, {pending_.data() + begin, values});
  pending_.resize(begin);
  return id;
}

base::Result<std::vector<Conditions::Id>> Conditions::conjunction(
    const std::vector<Id>& conditions) {
  return join(conditions, Join::both);
}

base::Result<std::vector<Conditions::Id>> Conditions::disjunction(
    const std::vector<Id>& conditions) {
  return join(conditions, Join::either);
}

base::Result<std::vector<Conditions::Id>> Conditions::join(const std::vector<Id>& conditions,
                                                           Join how) {
  constexpr std::size_t slack = 64, max_apart = std::size_t{1} << 14;
  std::vector<Id> joined;
  for (const Id next : conditions) {
    const std::size_t apart = joined.empty() ? 0 : size(joined.back()) + size(next);
    if (joined.empty() || apart > max_apart) {
      joined.push_back(next);
      continue;
    }
    const auto together = join_within(joined.back(), next, how, 2 * apart + slack);
    if (!together) return tl::unexpected(together.error());
    if (*together && size(**together) <= apart + slack) {
      joined.back() = **together;
    } else {
      joined.push_back(next);
    }
  }
  if (joined.empty()) joined.push_back(how == Join::both ? always : never);
  return joined;
}

base::Result<std::optional<Conditions::Id>> Conditions::join_within(Id a, Id b, Join how,
                                                                    std::size_t new_nodes) {
  const std::size_t most =
      std::exchange(max_nodes_, std::min(max_nodes_, table_size() + new_nodes));
  const auto result = how == Join::both ? both(a, b) : either(a, b);
  const bool is_too_large = table_size() > max_nodes_;
  max_nodes_ = most;
  if (result) return *result;
  if (is_too_large && table_size() <= most) return std::nullopt;
  return tl::unexpected(result.error());
}

base::Result<bool> Conditions::implies(Id a, Id b) {
  const auto implication = if_then_else(a, b, always);
  if (!implication) return tl::unexpected(implication.error());
  return *implication == always;
}

std::vector<Conditions::Id> Conditions::nodes(Id condition) const {
  std::vector<Id> found, open = {condition};
  std::unordered_set<Id> seen;
  while (!open.empty()) {
    const Id id = open.back();
    open.pop_back();
    if (id <= always || !seen.insert(id).second) continue;
    found.push_back(id);
    const Node& node = nodes_[id];
    for (Value value = 0; value < domains_[node.level]; ++value) {
      open.push_back(children_[node.children + value]);
    }
  }
  return found;
}

std::size_t Conditions::size(Id condition) const { return nodes(condition).size(); }

Diagram Conditions::diagram(Id condition) const {
  std::vector<Id> order = nodes(condition);
  std::sort(order.begin(), order.end(), [&](Id a, Id b) {
    return std::pair(nodes_[b].level, a) < std::pair(nodes_[a].level, b);
  });
  std::unordered_map<Id, NodeId> ids = {{never, 0}, {always, 1}};
  std::vector<Diagram::Level> levels(domains_.size());
  NodeId next = 2;
  auto at = order.begin();
  for (std::size_t l = domains_.size(); l-- > 0;) {
    levels[l].base = next;
    std::vector<NodeId> rows;
    for (; at != order.end() && nodes_[*at].level == l; ++at) {
      for (Value value = 0; value < domains_[l]; ++value) {
        rows.push_back(ids.at(children_[nodes_[*at].children + value]));
      }
      ids.emplace(*at, next++);
    }
    levels[l].children = std::move(rows);
  }
  return Diagram(domains_, 2, std::move(levels), ids.at(condition));
}

}  // namespace zermelo::dd
