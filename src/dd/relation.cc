#include "dd/relation.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <map>
#include <tuple>
#include <utility>

#include "dd/relation_builder.h"

namespace zermelo::dd {

// Lays out a graph as tables by level. A node that skips levels has a number at each of them.
class RelationLayout {
 public:
  static Relation of(const Domains& domains, const RelationGraph& graph) {
    Relation::Body body;
    body.domains = domains;
    body.levels.resize(domains.size());
    body.nodes = graph.nodes.empty() ? 0 : graph.nodes.size() - 1;  // without the identity
    if (graph.root != RelationGraph::rejecting) {
      body.empty = false;
      body.root = graph.root == 0 ? 0 : 1;
      body.levels = RelationLayout(domains, graph).levels();
    }
    return Relation(std::move(body));
  }

  static Relation with_cases(const Relation& relation, std::vector<Case> cases) {
    Relation::Body body = *relation.body_;
    body.cases = std::move(cases);
    return Relation(std::move(body));
  }

  static Relation with_parts(const Relation& relation, std::vector<Relation> parts) {
    Relation::Body body = *relation.body_;
    body.parts = std::move(parts);
    return Relation(std::move(body));
  }

 private:
  RelationLayout(const Domains& domains, const RelationGraph& graph)
      : domains_(domains), graph_(graph) {}

  std::vector<Relation::Level> levels() {
    std::vector<Relation::Level> result(domains_.size());
    std::vector<NodeId> live = {0};
    if (graph_.root != 0) live.push_back(graph_.root);
    for (std::size_t l = 0; l < domains_.size(); ++l) {
      std::vector<NodeId> next = live_after(l, live);
      fill(result[l], l, live, next);
      live = std::move(next);
    }
    return result;
  }

  bool skips(NodeId node, std::size_t l) const { return node == 0 || graph_.nodes[node].level > l; }

  std::vector<NodeId> live_after(std::size_t l, const std::vector<NodeId>& live) const {
    std::vector<NodeId> next;
    for (const NodeId node : live) {
      if (skips(node, l)) {
        next.push_back(node);
        continue;
      }
      for (const auto& edge : graph_.nodes[node].edges) next.push_back(edge.target);
    }
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    return next;
  }

  void fill(Relation::Level& level, std::size_t l, const std::vector<NodeId>& live,
            const std::vector<NodeId>& next) const {
    const auto number = [&](NodeId node) {
      return static_cast<NodeId>(std::lower_bound(next.begin(), next.end(), node) - next.begin());
    };
    level.values_ = domains_[l];
    std::vector<RelationRow::Edge> edges[2];  // by row and value, for each side
    NodeId rows = 0;
    for (const NodeId node : live) {
      if (skips(node, l)) {
        level.nodes_.push_back(number(node) | Relation::Level::identity_mark);
        continue;
      }
      for (const auto& edge : graph_.nodes[node].edges) {
        const NodeId target = number(edge.target);
        edges[0].push_back({rows * domains_[l] + edge.current, edge.next, target});
        edges[1].push_back({rows * domains_[l] + edge.next, edge.current, target});
      }
      level.nodes_.push_back(rows++);
    }
    for (unsigned side = 0; side < 2; ++side) {
      fill(level.tables_[side], rows * domains_[l], std::move(edges[side]));
    }
  }

  static void fill(Relation::Level::Table& table, std::size_t lists,
                   std::vector<RelationRow::Edge> edges) {
    std::sort(edges.begin(), edges.end());
    table.begins.assign(lists + 1, 0);
    for (const auto& [list, value, target] : edges) {
      ++table.begins[list + 1];
      table.steps.push_back({value, target});
    }
    for (std::size_t i = 0; i < lists; ++i) {
      table.max_steps = std::max(table.max_steps, table.begins[i + 1]);
      table.begins[i + 1] += table.begins[i];
    }
  }

  const Domains& domains_;
  const RelationGraph& graph_;
};

namespace {

Passed<Relation> build(const Domains& domains, const RelationConstruction& construction,
                       const Options& options) {
  return within_memory([&]() -> Passed<Relation> {
    const auto graph = build_graph(domains, construction, options.limits);
    if (!graph) return tl::unexpected(graph.error());
    return RelationLayout::of(domains, *graph);
  });
}

// The rest of a case from some variable on. Cases with equal suffixes share them.
class CaseSuffixes {
 public:
  struct Suffix {
    std::size_t variable;
    std::vector<Value> allowed;
    std::optional<Value> next;
    std::uint64_t rest;
  };
  static constexpr std::uint64_t finished = 0;

  explicit CaseSuffixes(const Domains& domains) : domains_(domains), suffixes_(1) {}

  std::uint64_t add(Case c) {
    std::sort(c.touched.begin(), c.touched.end(),
              [](const auto& a, const auto& b) { return a.variable > b.variable; });
    std::uint64_t rest = finished;
    for (Case::Touch& touch : c.touched) {
      rest = unique({touch.variable, values_of(touch), touch.next, rest});
    }
    return rest;
  }

  const Suffix& operator[](std::uint64_t id) const { return suffixes_[id]; }
  std::size_t size() const { return suffixes_.size(); }

 private:
  std::vector<Value> values_of(Case::Touch touch) const {
    if (touch.allowed.empty()) {
      for (Value value = 0; value < domains_[touch.variable]; ++value) {
        touch.allowed.push_back(value);
      }
    }
    std::sort(touch.allowed.begin(), touch.allowed.end());
    return std::move(touch.allowed);
  }

  std::uint64_t unique(Suffix suffix) {
    const auto key = std::tuple(suffix.variable, suffix.allowed, suffix.next, suffix.rest);
    const auto [found, added] = known_.try_emplace(key, suffixes_.size());
    if (added) suffixes_.push_back(std::move(suffix));
    return found->second;
  }

  const Domains& domains_;
  std::vector<Suffix> suffixes_;
  std::map<std::tuple<std::size_t, std::vector<Value>, std::optional<Value>, std::uint64_t>,
           std::uint64_t>
      known_;
};

RelationRow row_of_suffixes(const CaseSuffixes& suffixes, const Domains& domains, std::size_t level,
                            const RelationKey& key, Determinism determinism, RelationKeys& next) {
  StepSets sets(determinism);
  for (const std::uint64_t id : key) {
    const CaseSuffixes::Suffix& suffix = suffixes[id];
    if (id == CaseSuffixes::finished || suffix.variable != level) {
      sets.everywhere(id);
      continue;
    }
    for (const Value value : suffix.allowed) {
      sets.add(value, suffix.next.value_or(value), suffix.rest);
    }
  }
  return sets.take_row(domains[level], next);
}

// Bounds on a deterministic union of parts at a level: a fixed minimum, and more in proportion to
// the parts. Moves that wait for their effects are a word in each of many keys, so a few nodes can
// have keys far larger than all parts together.
RelationBounds bounds_of_union(std::size_t widths, std::size_t nodes) {
  constexpr std::size_t least_keys = 256, least_words = std::size_t{1} << 23;
  return {least_keys + 4 * widths, std::max(least_words, 32 * nodes)};
}

constexpr std::uint64_t element(std::size_t part, NodeId node) {
  return node == 0 ? 0 : (std::uint64_t{part} << 32) | node;
}

RelationRow row_of_union(const std::vector<Relation>& parts, std::size_t l, const RelationKey& key,
                         Determinism determinism, RelationKeys& next) {
  StepSets sets(determinism);
  for (const std::uint64_t id : key) {
    const std::size_t part = id >> 32;
    const NodeId node = static_cast<NodeId>(id);
    if (node == 0) {
      sets.everywhere(0);
    } else if (const Relation::Level& level = parts[part].level(l); level.is_identity(node)) {
      sets.everywhere(element(part, level.after_identity(node)));
    } else {
      for (Value value = 0; value < parts[part].domains()[l]; ++value) {
        for (const auto& step : level.steps(Relation::Side::current, node, value)) {
          sets.add(value, step.value, element(part, step.target));
        }
      }
    }
  }
  return sets.take_row(parts[0].domains()[l], next);
}

// Builds a deterministic union unless it would be much larger than its parts.
base::Result<Relation> build_union(
    const Domains& domains, RelationKey root, RelationBounds most, const Options& options,
    const std::function<RelationRow(std::size_t, const RelationKey&, Determinism, RelationKeys&)>&
        row) {
  std::sort(root.begin(), root.end());
  root.erase(std::unique(root.begin(), root.end()), root.end());
  const auto construct = [&](Determinism determinism, RelationBounds bounds) {
    const RelationConstruction construction{
        root,
        [&](std::size_t level, const RelationKey& key, RelationKeys& next) {
          return row(level, key, determinism, next);
        },
        [](const RelationKey& key) { return !key.empty(); }, bounds};
    return build(domains, construction, options);
  };
  auto relation = construct(Determinism::deterministic, most);
  if (!relation && relation.error() == Stop::too_many_nodes) {
    relation = construct(Determinism::loose, {});
  }
  return result_of(std::move(relation));
}

}  // namespace

std::size_t Relation::widest() const {
  std::size_t most = 1;
  for (const Level& level : body_->levels) most = std::max(most, level.width());
  return most;
}

Relation Relation::nothing(Domains domains) { return RelationLayout::of(domains, RelationGraph()); }

base::Result<Relation> Relation::of_cases(Domains domains, std::vector<Case> cases,
                                          const Options& options) {
  CaseSuffixes suffixes(domains);
  RelationKey root;
  for (const Case& c : cases) root.push_back(suffixes.add(c));
  auto relation = build_union(
      domains, root, bounds_of_union(cases.size(), suffixes.size()), options,
      [&](std::size_t level, const RelationKey& key, Determinism determinism, RelationKeys& next) {
        return row_of_suffixes(suffixes, domains, level, key, determinism, next);
      });
  if (!relation) return relation;
  return RelationLayout::with_cases(*relation, std::move(cases));
}

namespace {

// The automaton of updates. The key of a node, after some current and next values, is the condition
// under which the rest of the current assignment allows these next values, and, where it does, the
// conditions of the remaining updates.
class UpdateRows {
 public:
  UpdateRows(Conditions& conditions, const std::vector<Update>& updates)
      : conditions_(conditions), updates_(updates) {
    std::sort(updates_.begin(), updates_.end(),
              [](const Update& a, const Update& b) { return a.variable < b.variable; });
  }

  // Sets the conditions of updates to never where the guard fails.
  base::Result<RelationKey> root(Conditions::Id guard) {
    RelationKey key;
    for (const Update& update : updates_)
      key.insert(key.end(), update.becomes.begin(), update.becomes.end());
    key.insert(key.begin(), guard);
    guard_rest(key, guard);
    if (failure_) return tl::unexpected(*failure_);
    return key;
  }

  RelationRow row(std::size_t level, const RelationKey& key, RelationKeys& next) {
    RelationRow row;
    const Update* update = updated_at(level);
    if (update == nullptr && !asks(key, level)) {
      row.unchanged = next.place(key);
      return row;
    }
    for (Value current = 0; current < conditions_.domains()[level]; ++current) {
      const RelationKey after = child(key, level, current);
      if (after[0] == Conditions::never) continue;
      if (update == nullptr) {
        row.edges.push_back({current, current, next.place(after)});
      } else {
        choose(after, current, update->becomes.size(), row, next);
      }
    }
    return row;
  }

  const std::optional<base::Error>& failure() const { return failure_; }

 private:
  const Update* updated_at(std::size_t level) const {
    const auto found =
        std::lower_bound(updates_.begin(), updates_.end(), level,
                         [](const Update& u, std::size_t l) { return u.variable < l; });
    return found != updates_.end() && found->variable == level ? &*found : nullptr;
  }

  bool asks(const RelationKey& key, std::size_t level) const {
    return std::any_of(key.begin(), key.end(), [&](std::uint64_t id) {
      return conditions_.level(static_cast<Conditions::Id>(id)) == level;
    });
  }

  RelationKey child(const RelationKey& key, std::size_t level, Value current) const {
    RelationKey after;
    for (const std::uint64_t id : key) {
      after.push_back(conditions_.child(static_cast<Conditions::Id>(id), level, current));
    }
    return after;
  }

  // Adds one edge for each possible next value. The conditions of the level's own update, first in
  // the key, are then removed.
  void choose(const RelationKey& key, Value current, std::size_t values, RelationRow& row,
              RelationKeys& next) {
    for (Value value = 0; value < values && !failure_; ++value) {
      const std::uint64_t guard = key[1 + value];
      if (guard == Conditions::never) continue;
      RelationKey rest = {guard};
      rest.insert(rest.end(), key.begin() + static_cast<std::ptrdiff_t>(1 + values), key.end());
      guard_rest(rest, static_cast<Conditions::Id>(guard));
      row.edges.push_back({current, value, next.place(rest)});
    }
  }

  void guard_rest(RelationKey& key, Conditions::Id guard) {
    for (std::size_t i = 1; i < key.size() && !failure_; ++i) {
      const auto guarded = conditions_.both(guard, static_cast<Conditions::Id>(key[i]));
      if (guarded) {
        key[i] = *guarded;
      } else {
        failure_ = guarded.error();
      }
    }
  }

  Conditions& conditions_;
  std::vector<Update> updates_;  // by variable
  std::optional<base::Error> failure_;
};

}  // namespace

base::Result<Relation> Relation::of_updates(Conditions& conditions, Conditions::Id guard,
                                            const std::vector<Update>& updates, std::size_t widest,
                                            const Options& options) {
  UpdateRows rows(conditions, updates);
  const auto root = rows.root(guard);
  if (!root) return tl::unexpected(root.error());
  const RelationConstruction construction{
      *root,
      [&](std::size_t level, const RelationKey& key, RelationKeys& next) {
        return rows.row(level, key, next);
      },
      [](const RelationKey& key) { return key[0] == Conditions::always; },
      {.keys = widest}};
  auto relation = build(conditions.domains(), construction, options);
  if (rows.failure()) return tl::unexpected(*rows.failure());
  if (!relation && relation.error() == Stop::too_many_nodes) {
    return base::fail(base::ErrorKind::not_applicable, "the effects of a move are too complex");
  }
  return result_of(std::move(relation));
}

base::Result<std::vector<Relation>> Relation::halves(const Options& options) const {
  std::vector<Relation> result;
  const auto add = [&](base::Result<Relation> half) -> std::optional<base::Error> {
    if (!half) return half.error();
    result.push_back(std::move(*half));
    return std::nullopt;
  };
  const auto split = [&](const auto& list, auto make) -> std::optional<base::Error> {
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
    if (auto error = add(make({list.begin(), middle}))) return error;
    return add(make({middle, list.end()}));
  };
  std::optional<base::Error> error;
  if (body_->parts.size() >= 2) {
    error = split(body_->parts, [&](std::vector<Relation> parts) {
      return parts.size() == 1 ? base::Result<Relation>(parts[0]) : union_of(parts, options);
    });
  } else if (body_->cases.size() >= 2) {
    error = split(body_->cases, [&](std::vector<Case> cases) {
      return of_cases(domains(), std::move(cases), options);
    });
  }
  if (error) return tl::unexpected(std::move(*error));
  return result;
}

base::Result<Relation> union_of(const std::vector<Relation>& relations, const Options& options) {
  assert(!relations.empty());
  std::vector<Relation> parts;
  RelationKey root;
  for (const Relation& relation : relations) {
    if (relation.empty()) continue;
    root.push_back(element(parts.size(), relation.root()));
    parts.push_back(relation);
  }
  if (parts.empty()) return relations[0];
  std::size_t widths = 0, nodes = 0;
  for (const Relation& part : parts) {
    widths += part.widest();
    nodes += part.nodes();
  }
  auto relation = build_union(
      parts[0].domains(), root, bounds_of_union(widths, nodes), options,
      [&](std::size_t level, const RelationKey& key, Determinism determinism, RelationKeys& next) {
        return row_of_union(parts, level, key, determinism, next);
      });
  if (!relation) return relation;
  return RelationLayout::with_parts(*relation, std::move(parts));
}

}  // namespace zermelo::dd
