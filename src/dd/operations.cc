#include "dd/operations.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

#include "dd/expand.h"

namespace zermelo::dd {

namespace {

// Tuples of one id per operand.
class alignas(cache_lines) CombineOperation {
 public:
  using Word = NodeId;
  static constexpr bool counted = false;

  CombineOperation(const std::vector<Diagram>& operands, const Combination& combination)
      : operands_(&operands), combination_(&combination), ids_(operands.size()) {}

  // Returns the constant of the result if the ids decide it.
  std::optional<NodeId> decided(std::span<const NodeId> ids) const {
    for (const Combination::Shortcut& rule : combination_->shortcuts) {
      if (ids[rule.operand] == rule.constant) return rule.result;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] >= (*operands_)[i].constants()) return std::nullopt;
    }
    return combination_->value(ids);
  }

  template <class Tuple, class Sink>
  void children(std::size_t level, const Tuple& tuple, Sink& sink) {
    if (skips(level, tuple.words)) return sink.same_tuple(tuple.words, tuple.length);
    const Value values = (*operands_)[0].domains()[level];
    for (Value value = 0; value < values; ++value) {
      for (std::size_t i = 0; i < ids_.size(); ++i) {
        ids_[i] = (*operands_)[i].child(level, tuple.words[i], value);
      }
      if (const auto constant = decided(ids_)) {
        sink.constant(*constant);
      } else {
        sink.tuple(ids_.data(), ids_.size());
      }
    }
  }

  template <class Tuple>
  NodeId value(const Tuple& tuple) {
    return combination_->value({tuple.words, tuple.length});
  }

  void leave(std::size_t level) const {
    for (const Diagram& operand : *operands_) operand.release(level);
  }

 private:
  bool skips(std::size_t level, const NodeId* ids) const {
    for (std::size_t i = 0; i < operands_->size(); ++i) {
      if (ids[i] >= (*operands_)[i].level(level).base) return false;
    }
    return true;
  }

  const std::vector<Diagram>* operands_;
  const Combination* combination_;
  std::vector<NodeId> ids_;
};

// Tuples of a single id. Fixed variables are skipped.
class alignas(cache_lines) RestrictOperation {
 public:
  using Word = NodeId;
  static constexpr bool counted = false;

  RestrictOperation(const Diagram& diagram, const std::vector<std::pair<std::size_t, Value>>& fixed)
      : diagram_(&diagram), fixed_(diagram.variables()) {
    for (const auto& [variable, value] : fixed) fixed_[variable] = value;
  }

  template <class Tuple, class Sink>
  void children(std::size_t level, const Tuple& tuple, Sink& sink) {
    const NodeId id = tuple.words[0];
    if (fixed_[level] || id < diagram_->level(level).base) {
      const NodeId child = diagram_->child(level, id, fixed_[level].value_or(0));
      return sink.same_tuple(&child, 1);
    }
    for (Value value = 0; value < diagram_->domains()[level]; ++value) {
      const NodeId child = diagram_->child(level, id, value);
      if (child < diagram_->constants()) {
        sink.constant(child);
      } else {
        sink.tuple(&child, 1);
      }
    }
  }

  template <class Tuple>
  NodeId value(const Tuple& tuple) {
    return tuple.words[0];
  }

 private:
  const Diagram* diagram_;
  std::vector<std::optional<Value>> fixed_;
};

// Tuples are sorted sets of ids with at most one constant, the largest.
class alignas(cache_lines) ProjectOperation {
 public:
  using Word = NodeId;
  static constexpr bool counted = false;

  ProjectOperation(const Diagram& diagram, const std::vector<std::size_t>& variables)
      : diagram_(&diagram), gone_(diagram.variables(), false) {
    for (const std::size_t variable : variables) gone_[variable] = true;
  }

  template <class Tuple, class Sink>
  void children(std::size_t level, const Tuple& tuple, Sink& sink) {
    const std::span<const NodeId> ids(tuple.words, tuple.length);
    const Value values = diagram_->domains()[level];
    if (ids.back() < diagram_->level(level).base) return sink.same_tuple(ids.data(), ids.size());
    set_.clear();
    for (Value value = 0; value < values; ++value) {
      if (!gone_[level]) set_.clear();
      for (const NodeId id : ids) set_.push_back(diagram_->child(level, id, value));
      if (gone_[level]) continue;
      tidy();
      if (decided()) {
        sink.constant(set_[0]);
      } else {
        sink.tuple(set_.data(), set_.size());
      }
    }
    if (!gone_[level]) return;
    tidy();
    sink.same_tuple(set_.data(), set_.size());
  }

  template <class Tuple>
  NodeId value(const Tuple& tuple) {
    return tuple.words[tuple.length - 1];
  }

 private:
  void tidy() {
    std::sort(set_.begin(), set_.end());
    set_.erase(std::unique(set_.begin(), set_.end()), set_.end());
    const auto node = std::lower_bound(set_.begin(), set_.end(), diagram_->constants());
    if (node - set_.begin() > 1) set_.erase(set_.begin(), node - 1);
    if (set_[0] == diagram_->constants() - 1) set_.resize(1);
  }
  bool decided() const { return set_.size() == 1 && set_[0] < diagram_->constants(); }

  const Diagram* diagram_;
  std::vector<bool> gone_;
  std::vector<NodeId> set_;
};

bool in_some(std::span<const NodeId> constants) {
  return std::any_of(constants.begin(), constants.end(), [](NodeId c) { return c != 0; });
}

bool in_all(std::span<const NodeId> constants) {
  return std::all_of(constants.begin(), constants.end(), [](NodeId c) { return c != 0; });
}

std::vector<Combination::Shortcut> for_members(const std::vector<Diagram>& sets) {
  std::vector<Combination::Shortcut> rules;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (NodeId c = 1; c < sets[i].constants(); ++c) rules.push_back({i, c, 1});
  }
  return rules;
}

std::vector<Combination::Shortcut> for_outsiders(std::size_t operands) {
  std::vector<Combination::Shortcut> rules;
  for (std::size_t i = 0; i < operands; ++i) rules.push_back({i, 0, 0});
  return rules;
}

// Returns whether the table maps constants that occur to different constants.
bool is_injective_on(const Diagram& diagram, const std::vector<NodeId>& table) {
  const std::vector<bool> occurs = occurring_constants(diagram);
  std::vector<NodeId> images;
  for (NodeId c = 0; c < table.size(); ++c) {
    if (occurs[c]) images.push_back(table[c]);
  }
  std::sort(images.begin(), images.end());
  return std::adjacent_find(images.begin(), images.end()) == images.end();
}

bool changes_nothing(const Diagram& diagram, const std::vector<NodeId>& table, NodeId constants) {
  if (constants != diagram.constants()) return false;
  NodeId c = 0;
  return std::all_of(table.begin(), table.end(), [&](NodeId image) { return image == c++; });
}

// Replaces the constants and keeps the rows. Requires that different constants stay different.
Passed<Diagram> renumbered(const Diagram& diagram, const std::vector<NodeId>& table,
                           NodeId constants, const Options& options) {
  constexpr std::size_t block = 1 << 16;
  const NodeId before = diagram.constants();
  const auto id = [&](NodeId old) { return old < before ? table[old] : old - before + constants; };
  std::vector<Diagram::Level> levels(diagram.variables());
  NodeArrayWriter writer(options);
  std::vector<NodeId> rows;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const Diagram::Level& level = diagram.level(l);
    levels[l].base = id(level.base);
    writer.expect(level.children.size());
    for (std::size_t at = 0; at < level.children.size(); at += rows.size()) {
      if (const auto stop = exceeded(options.limits)) return tl::unexpected(*stop);
      rows.resize(std::min(block, level.children.size() - at));
      std::transform(&level.children[at], &level.children[at] + rows.size(), rows.begin(), id);
      if (!writer.append(rows.data(), rows.size())) return tl::unexpected(Stop::scratch_failure);
    }
    auto children = writer.finish();
    if (!children) return tl::unexpected(Stop::scratch_failure);
    levels[l].children = std::move(*children);
    diagram.release(l);
  }
  return Diagram(diagram.domains(), constants, std::move(levels), id(diagram.root()));
}

template <class Operation>
base::Result<Diagram> construct_from(const Diagram& diagram, const Operation& operation,
                                     const Options& options) {
  if (diagram.is_constant()) return diagram;
  const NodeId root = diagram.root();
  return result_of(construct<Operation>(diagram.domains(), diagram.constants(), {&root, 1},
                                        operation, Reduction::exact, any_length(options)));
}

using NodePairs = FrontierShard<NodeId, false>;

// Adds the successors of the pairs of a level that are not empty on either side. Returns true if
// one is common to both sets.
Passed<bool> follow(const Diagram& a, const Diagram& b, std::size_t l, const NodePairs& pairs,
                    NodePairs& next, std::size_t max_pairs, const base::Limits& limits) {
  constexpr std::size_t steps = 4096;
  const NodeId* words = pairs.words().data();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i % steps == 0) {
      if (const auto stop = exceeded(limits)) return tl::unexpected(*stop);
      if (next.size() > max_pairs) return tl::unexpected(Stop::too_many_nodes);
    }
    const NodeId* const pair = NodePairs::next(words).words;
    for (Value value = 0; value < a.domains()[l]; ++value) {
      const NodeId child[] = {a.child(l, pair[0], value), b.child(l, pair[1], value)};
      if (child[0] == 0 || child[1] == 0) continue;
      if (child[0] < a.constants() || child[1] < b.constants()) return true;
      next.find_or_add(child, 2, hash_words(child, 2), 1);
    }
  }
  if (next.size() > max_pairs) return tl::unexpected(Stop::too_many_nodes);
  return false;
}

// Level by level, computes the pairs of nodes that some assignment leads to.
Passed<bool> intersect_by_pairs(const Diagram& a, const Diagram& b, std::size_t max_pairs,
                                const base::Limits& limits) {
  if (a.root() == 0 || b.root() == 0) return false;
  if (a.is_constant() || b.is_constant()) return true;
  constexpr std::size_t any_chunk = 4096;
  NodePairs pairs, next;
  const NodeId roots[] = {a.root(), b.root()};
  pairs.reset(1, any_chunk);
  pairs.find_or_add(roots, 2, hash_words(roots, 2), 1);
  for (std::size_t l = 0; l < a.variables(); ++l) {
    next.reset(pairs.size(), any_chunk);
    const auto found = follow(a, b, l, pairs, next, max_pairs, limits);
    a.release(l);
    b.release(l);
    if (!found || *found) return found;
    std::swap(pairs, next);
  }
  return false;
}

// Returns nullopt if there are too many pairs or a limit is reached.
std::optional<bool> try_intersect_by_pairs(const Diagram& a, const Diagram& b,
                                           std::size_t max_pairs, const base::Limits& limits) {
  const auto found = within_memory([&] { return intersect_by_pairs(a, b, max_pairs, limits); });
  return found ? std::optional(*found) : std::nullopt;
}

// The number of pairs that two levels may have: 16 bytes each, and 48 for the table while it grows.
std::size_t max_pairs_in_memory(const Options& options) {
  constexpr std::size_t bytes_per_pair = 2 * (16 + 48);
  return options.scratch_folder.empty() ? std::numeric_limits<std::size_t>::max()
                                        : options.frontier_in_memory / bytes_per_pair;
}

}  // namespace

base::Result<Diagram> combine(const std::vector<Diagram>& operands, const Combination& combination,
                              const Options& options) {
  assert(!operands.empty());
  std::vector<NodeId> roots;
  for (const Diagram& operand : operands) {
    assert(operand.domains() == operands[0].domains());
    roots.push_back(operand.root());
  }
  const Domains& domains = operands[0].domains();
  const CombineOperation operation(operands, combination);
  if (const auto constant = operation.decided(roots)) {
    return Diagram::constant(domains, combination.constants, *constant);
  }
  return result_of(construct<CombineOperation>(domains, combination.constants, roots, operation,
                                               combination.reduction, any_length(options)));
}

base::Result<Diagram> union_of(const std::vector<Diagram>& sets, const Options& options) {
  return combine(sets, {2, in_some, for_members(sets)}, options);
}

base::Result<Diagram> intersection_of(const std::vector<Diagram>& sets, const Options& options) {
  return combine(sets, {2, in_all, for_outsiders(sets.size())}, options);
}

base::Result<Diagram> difference(const Diagram& a, const Diagram& b, const Options& options) {
  std::vector<Combination::Shortcut> rules = {{0, 0, 0}};
  for (NodeId c = 1; c < b.constants(); ++c) rules.push_back({1, c, 0});
  const auto only_in_first = [](std::span<const NodeId> c) {
    return NodeId{c[0] != 0 && c[1] == 0};
  };
  return combine({a, b}, {2, only_in_first, rules}, options);
}

base::Result<Diagram> complement(const Diagram& a, const Options& options) {
  std::vector<NodeId> table(a.constants(), 0);
  table[0] = 1;
  return relabel(a, table, 2, options);
}

// The pairs of one level, in one thread, cost less than a construction; but only a construction can
// use files.
base::Result<bool> intersect(const Diagram& a, const Diagram& b, const Options& options) {
  const auto met = try_intersect_by_pairs(a, b, max_pairs_in_memory(options), options.limits);
  if (met) return *met;
  const auto common = intersection_of({a, b}, options);
  if (!common) return tl::unexpected(common.error());
  return !common->is_empty_set();
}

std::optional<bool> intersect_within(const Diagram& a, const Diagram& b, std::size_t max_pairs) {
  return try_intersect_by_pairs(a, b, max_pairs, {});
}

base::Result<Diagram> relabel(const Diagram& diagram, const std::vector<NodeId>& table,
                              NodeId constants, const Options& options) {
  assert(table.size() == diagram.constants());
  if (changes_nothing(diagram, table, constants)) return diagram;
  if (is_injective_on(diagram, table)) {
    return result_of(within_memory([&] { return renumbered(diagram, table, constants, options); }));
  }
  return combine({diagram}, {constants, [&](std::span<const NodeId> c) { return table[c[0]]; }},
                 options);
}

base::Result<Diagram> restrict(const Diagram& diagram,
                               const std::vector<std::pair<std::size_t, Value>>& fixed,
                               const Options& options) {
  return construct_from(diagram, RestrictOperation(diagram, fixed), options);
}

base::Result<Diagram> project(const Diagram& diagram, const std::vector<std::size_t>& variables,
                              const Options& options) {
  return construct_from(diagram, ProjectOperation(diagram, variables), options);
}

base::Result<Diagram> simplify(const Diagram& diagram, const Diagram& care,
                               const Options& options) {
  const auto value = [](std::span<const NodeId> c) { return c[1] == 0 ? 0 : c[0]; };
  return combine({diagram, care}, {diagram.constants(), value, {{1, 0, 0}}, Reduction::dont_care},
                 options);
}

}  // namespace zermelo::dd
