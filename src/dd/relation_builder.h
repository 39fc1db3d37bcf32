// How relations are made: a subset construction from the top down, whatever the nodes stand for,
// then, from the bottom up, equal nodes become one and nodes that change nothing vanish.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dd/relation.h"
#include "dd/stop.h"

namespace zermelo::dd {

// What a node under construction stands for.
using RelationKey = std::vector<std::uint64_t>;

struct RelationKeyHash {
  std::size_t operator()(const RelationKey& key) const;
};

// The keys of one level and their places.
class RelationKeys {
 public:
  NodeId place(const RelationKey& key);
  std::size_t size() const { return keys_.size(); }
  const RelationKey& operator[](NodeId place) const { return *keys_[place]; }
  // Of the keys, and of all keys that were looked for.
  std::size_t words() const { return words_; }
  std::size_t words_looked_for() const { return words_looked_for_; }

 private:
  std::unordered_map<RelationKey, NodeId, RelationKeyHash> places_;
  std::vector<const RelationKey*> keys_;
  std::size_t words_ = 0, words_looked_for_ = 0;
};

// The steps of a node under construction: the same place for every unchanged value, or a list.
struct RelationRow {
  struct Edge {
    Value current, next;
    NodeId target;
    auto operator<=>(const Edge&) const = default;
  };
  std::optional<NodeId> unchanged;
  std::vector<Edge> edges;
};

// How many keys one level may have, and words in them all.
struct RelationBounds {
  std::size_t keys = std::numeric_limits<std::size_t>::max();
  std::size_t words = std::numeric_limits<std::size_t>::max();
};

struct RelationConstruction {
  RelationKey root;
  // The row of a key at a level; keys of the next level get their places there.
  std::function<RelationRow(std::size_t level, const RelationKey& key, RelationKeys& next)> row;
  // Whether a key below the last level accepts.
  std::function<bool(const RelationKey& key)> accepts;
  // More end the construction with too_many_nodes.
  RelationBounds most = {};
};

// A relation before it is laid out. Node 0 is the identity.
struct RelationGraph {
  static constexpr NodeId rejecting = ~NodeId{0};
  struct Node {
    std::size_t level;
    std::vector<RelationRow::Edge> edges;
  };
  std::vector<Node> nodes;
  NodeId root = rejecting;
};

// Throws std::bad_alloc.
Passed<RelationGraph> build_graph(const Domains& domains, const RelationConstruction& construction,
                                  const base::Limits& limits);

// Whether a row has one step for each current and next value, to the set of all elements that
// follow, or may have two, to those that were waiting unchanged and to those that stepped.
enum class Determinism { deterministic, loose };

// Collects elements of sets by step, and elements that follow every unchanged value.
class StepSets {
 public:
  explicit StepSets(Determinism determinism) : determinism_(determinism) {}

  void everywhere(std::uint64_t element) { default_.push_back(element); }
  void add(Value current, Value next, std::uint64_t element) {
    sets_[{current, next}].push_back(element);
  }
  // The row these make, of sets as keys. Empties this.
  RelationRow take_row(Value values, RelationKeys& next);

 private:
  Determinism determinism_;
  RelationKey default_;
  std::map<std::pair<Value, Value>, RelationKey> sets_;
};

}  // namespace zermelo::dd
