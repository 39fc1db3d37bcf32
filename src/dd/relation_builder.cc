#include "dd/relation_builder.h"

#include <algorithm>

#include "dd/codes.h"

namespace zermelo::dd {

std::size_t RelationKeyHash::operator()(const RelationKey& key) const {
  return hash_words(key.data(), key.size());
}

NodeId RelationKeys::place(const RelationKey& key) {
  const auto [found, added] = places_.try_emplace(key, static_cast<NodeId>(keys_.size()));
  words_looked_for_ += key.size();
  if (!added) return found->second;
  words_ += key.size();
  keys_.push_back(&found->first);
  return found->second;
}

namespace {

void sort_set(RelationKey& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

}  // namespace

RelationRow StepSets::take_row(Value values, RelationKeys& next) {
  sort_set(default_);
  RelationRow row;
  const bool has_default = !default_.empty();
  const NodeId unchanged = has_default ? next.place(default_) : 0;
  if (sets_.empty() && has_default) row.unchanged = unchanged;
  const bool joined = determinism_ == Determinism::deterministic;
  for (auto& [step, set] : sets_) {
    if (joined && step.first == step.second)
      set.insert(set.end(), default_.begin(), default_.end());
    sort_set(set);
    row.edges.push_back({step.first, step.second, next.place(set)});
  }
  for (Value value = 0; has_default && !sets_.empty() && value < values; ++value) {
    if (joined && sets_.contains({value, value})) continue;
    row.edges.push_back({value, value, unchanged});
  }
  default_.clear();
  sets_.clear();
  return row;
}

namespace {

// Checks the limits after a fixed amount of work, whatever a single row takes: keys of a union have
// a word for every waiting move, and a row has a key for each of its steps.
class LimitChecks {
 public:
  explicit LimitChecks(const base::Limits& limits) : limits_(limits) {}

  std::optional<Stop> after(std::size_t words) {
    constexpr std::size_t interval = 1 << 14;
    words_ += words;
    if (words_ < interval) return std::nullopt;
    words_ = 0;
    return exceeded(limits_);
  }

 private:
  const base::Limits& limits_;
  std::size_t words_ = 0;
};

using Rows = std::vector<RelationRow>;

bool exceed(const RelationKeys& keys, const RelationBounds& most) {
  return keys.size() > most.keys || keys.words() > most.words;
}

// Returns the rows of the keys of a level; their steps lead to keys of the next level.
Passed<Rows> expand_level(std::size_t l, const RelationConstruction& construction,
                          const RelationKeys& current, RelationKeys& next, LimitChecks& checks) {
  Rows rows;
  for (NodeId place = 0; place < current.size(); ++place) {
    const std::size_t before = next.words_looked_for();
    rows.push_back(construction.row(l, current[place], next));
    const std::size_t work =
        current[place].size() + rows.back().edges.size() + next.words_looked_for() - before;
    if (const auto stop = checks.after(work)) return tl::unexpected(*stop);
    if (exceed(next, construction.most)) return tl::unexpected(Stop::too_many_nodes);
  }
  return rows;
}

// Returns the rows of the keys by level. `bottom` receives the keys below the last level.
Passed<std::vector<Rows>> expand_keys(const Domains& domains,
                                      const RelationConstruction& construction, LimitChecks& checks,
                                      RelationKeys& bottom) {
  std::vector<Rows> rows;
  RelationKeys current;
  current.place(construction.root);
  for (std::size_t l = 0; l < domains.size(); ++l) {
    RelationKeys next;
    auto at_level = expand_level(l, construction, current, next, checks);
    if (!at_level) return tl::unexpected(at_level.error());
    rows.push_back(std::move(*at_level));
    current = std::move(next);
  }
  bottom = std::move(current);
  return rows;
}

bool leaves_unchanged(const std::vector<RelationRow::Edge>& edges, Value values) {
  if (edges.size() != values) return false;
  return std::all_of(edges.begin(), edges.end(), [&](const RelationRow::Edge& edge) {
    return edge.current == edge.next && edge.target == edges[0].target;
  });
}

class GraphReducer {
 public:
  GraphReducer() { graph_.nodes.push_back({0, {}}); }

  NodeId node_of(std::size_t level, Value values, RelationRow row,
                 const std::vector<NodeId>& below) {
    if (row.unchanged) return below[*row.unchanged];
    std::vector<RelationRow::Edge> edges;
    for (RelationRow::Edge edge : row.edges) {
      edge.target = below[edge.target];
      if (edge.target != RelationGraph::rejecting) edges.push_back(edge);
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    if (edges.empty()) return RelationGraph::rejecting;
    if (leaves_unchanged(edges, values)) return edges[0].target;
    return unique(level, std::move(edges));
  }

  void end_level() { known_.clear(); }
  RelationGraph take(NodeId root) {
    graph_.root = root;
    return std::move(graph_);
  }

 private:
  NodeId unique(std::size_t level, std::vector<RelationRow::Edge> edges) {
    RelationKey key;
    for (const RelationRow::Edge& edge : edges) {
      key.push_back((std::uint64_t{edge.current} << 32) | edge.next);
      key.push_back(edge.target);
    }
    const auto [found, added] =
        known_.try_emplace(std::move(key), static_cast<NodeId>(graph_.nodes.size()));
    if (added) graph_.nodes.push_back({level, std::move(edges)});
    return found->second;
  }

  RelationGraph graph_;
  std::unordered_map<RelationKey, NodeId, RelationKeyHash> known_;
};

}  // namespace

Passed<RelationGraph> build_graph(const Domains& domains, const RelationConstruction& construction,
                                  const base::Limits& limits) {
  LimitChecks checks(limits);
  RelationKeys bottom;
  auto rows = expand_keys(domains, construction, checks, bottom);
  if (!rows) return tl::unexpected(rows.error());
  std::vector<NodeId> below(bottom.size());
  for (NodeId place = 0; place < bottom.size(); ++place) {
    below[place] = construction.accepts(bottom[place]) ? 0 : RelationGraph::rejecting;
  }
  GraphReducer reducer;
  for (std::size_t l = domains.size(); l-- > 0;) {
    if (const auto stop = exceeded(limits)) return tl::unexpected(*stop);
    std::vector<NodeId> ids;
    for (RelationRow& row : (*rows)[l]) {
      if (const auto stop = checks.after(row.edges.size())) return tl::unexpected(*stop);
      ids.push_back(reducer.node_of(l, domains[l], std::move(row), below));
    }
    reducer.end_level();
    below = std::move(ids);
  }
  return reducer.take(below[0]);
}

}  // namespace zermelo::dd
