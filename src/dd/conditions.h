// Conditions on assignments, built by the classical recursive operations.
//
// The level-by-level passes are efficient for few large diagrams. The conditions of a game are many
// and small, and are built from each other; for these a unique table and a computed table are
// simpler and faster. Nodes live as long as the builder, or until `forget_after` discards them.
// Exceeding the limit of nodes is an error; `conjunction` and `disjunction` return a list if a
// single condition would be large.
//
//   Conditions conditions({3, 3});
//   auto line = conditions.both(conditions.literal(0, {1}), conditions.literal(1, {1}));
//   if (line) Diagram diagram = conditions.diagram(*line);
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "dd/diagram.h"

namespace zermelo::dd {

class Conditions {
 public:
  // A condition of this builder. Equal conditions have equal ids.
  using Id = std::uint32_t;
  static constexpr Id never = 0, always = 1;

  explicit Conditions(Domains domains, std::size_t max_nodes = std::size_t{1} << 26,
                      base::Limits limits = {});

  const Domains& domains() const { return domains_; }

  // Raises the limit of nodes to `nodes`, if that is more.
  void allow_at_least(std::size_t nodes) { max_nodes_ = std::max(max_nodes_, nodes); }
  // Lowers the limit to the current number of nodes plus `nodes`, if that is less.
  void allow_more(std::size_t nodes) { max_nodes_ = std::min(max_nodes_, nodes_.size() + nodes); }

  // Returns the condition that the variable has one of the values.
  Id literal(std::size_t variable, std::span<const Value> values);
  Id literal(std::size_t variable, std::initializer_list<Value> values) {
    return literal(variable, std::span<const Value>(values.begin(), values.size()));
  }

  base::Result<Id> if_then_else(Id condition, Id then, Id otherwise);
  base::Result<Id> both(Id a, Id b) { return if_then_else(a, b, never); }
  base::Result<Id> either(Id a, Id b) { return if_then_else(a, always, b); }
  base::Result<Id> negation(Id a) { return if_then_else(a, never, always); }
  // Like either, but returns nullopt if that would need more than `new_nodes` new nodes.
  base::Result<std::optional<Id>> either_within(Id a, Id b, std::size_t new_nodes) {
    return join_within(a, b, Join::either, new_nodes);
  }

  // Return a list of conditions with the same conjunction (disjunction) as the given ones.
  // Neighbouring small conditions are joined if the result is hardly larger than both.
  base::Result<std::vector<Id>> conjunction(const std::vector<Id>& conditions);
  base::Result<std::vector<Id>> disjunction(const std::vector<Id>& conditions);

  base::Result<bool> implies(Id a, Id b);

  // Returns the first variable that the condition tests, or the number of variables if none.
  std::size_t level(Id condition) const { return nodes_[condition].level; }
  // Returns the condition restricted to the value. Requires that it tests no variable before this
  // one.
  Id child(Id condition, std::size_t variable, Value value) const {
    const Node& node = nodes_[condition];
    return node.level == variable ? children_[node.children + value] : condition;
  }

  // Returns all nodes of a condition including itself, without the constants.
  std::vector<Id> nodes(Id condition) const;
  // Number of nodes of one condition, and of the whole table.
  std::size_t size(Id condition) const;
  std::size_t table_size() const { return nodes_.size(); }
  // Discards the conditions created since the table had `nodes` nodes; their ids become invalid.
  // Requires nodes <= table_size().
  void forget_after(std::size_t nodes);
  // Returns whether an error was due to the limit of nodes.
  bool is_full() const { return nodes_.size() > max_nodes_; }

  // Converts a condition to a diagram with the constants 0 and 1.
  Diagram diagram(Id condition) const;

 private:
  struct Node {
    std::size_t level;
    std::size_t children;  // start in children_
  };
  struct Triple {
    Id condition, then, otherwise;
    bool operator==(const Triple&) const = default;
  };
  struct Known {
    Triple triple = {};  // empty if its condition is `never`
    Id value = never;
  };
  enum class Join { both, either };

  Id unique(std::size_t level, std::span<const Id> children);
  void make_table(std::size_t slots);
  Known& slot_of(const Triple& triple);
  void remember(const Triple& triple, Id value);
  base::Result<Id> expand(const Triple& triple);
  std::optional<base::Error> exhausted();
  base::Result<std::optional<Id>> join_within(Id a, Id b, Join how, std::size_t new_nodes);
  base::Result<std::vector<Id>> join(const std::vector<Id>& conditions, Join how);

  Domains domains_;
  std::size_t max_nodes_;
  base::Limits limits_;
  std::size_t steps_ = 0;
  std::vector<Node> nodes_;
  std::vector<Id> children_;
  // Both tables use open addressing, with a power of two of slots, at most half of them used.
  std::vector<Id> table_;  // nodes; `never` in a free slot
  std::vector<Known> results_;
  std::size_t known_results_ = 0;
  std::vector<Id> pending_;  // stack of the children of nodes under construction
};

}  // namespace zermelo::dd
