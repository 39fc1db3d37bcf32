// Construction of relations: a subset construction from the top down, for any kind of node, then a
// reduction from the bottom up, which merges equal nodes and removes identity nodes.
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

// The identity of a node under construction.
using RelationKey = std::vector<std::uint64_t>;

struct RelationKeyHash {
  std::size_t operator()(const RelationKey& key) const;
};

// The keys of one level and their indices.
class RelationKeys {
 public:
  NodeId place(const RelationKey& key);
  std::size_t size() const { return keys_.size(); }
  const RelationKey& operator[](NodeId place) const { return *keys_[place]; }
  // Number of words of the distinct keys, and of all lookups.
  std::size_t words() const { return words_; }
  std::size_t words_looked_for() const { return words_looked_for_; }

 private:
  std::unordered_map<RelationKey, NodeId, RelationKeyHash> places_;
  std::vector<const RelationKey*> keys_;
  std::size_t words_ = 0, words_looked_for_ = 0;
};

// The steps of a node under construction: the same target for every unchanged value, or a list.
struct RelationRow {
  struct Edge {
    Value current, next;
    NodeId target;
    auto operator<=>(const Edge&) const = default;
  };
  std::optional<NodeId> unchanged;
  std::vector<Edge> edges;
};

// Limits on the keys of one level, and on the words in all of them.
struct RelationBounds {
  std::size_t keys = std::numeric_limits<std::size_t>::max();
  std::size_t words = std::numeric_limits<std::size_t>::max();
};

struct RelationConstruction {
  RelationKey root;
  // Returns the row of a key at a level. Adds the keys of the next level to `next`.
  std::function<RelationRow(std::size_t level, const RelationKey& key, RelationKeys& next)> row;
  // Returns whether a key below the last level accepts.
  std::function<bool(const RelationKey& key)> accepts;
  // Exceeding these ends the construction with too_many_nodes.
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

// Deterministic: a row has one step for each current and next value, to the set of all successors.
// Loose: it may have two, one to the elements that waited unchanged and one to those that stepped.
enum class Determinism { deterministic, loose };

// Collects elements of sets by step, and elements that follow every unchanged value.
class StepSets {
 public:
  explicit StepSets(Determinism determinism) : determinism_(determinism) {}

  void everywhere(std::uint64_t element) { default_.push_back(element); }
  void add(Value current, Value next, std::uint64_t element) {
    sets_[{current, next}].push_back(element);
  }
  // Returns the row of the collected steps, with sets as keys, and clears this object.
  RelationRow take_row(Value values, RelationKeys& next);

 private:
  Determinism determinism_;
  RelationKey default_;
  std::map<std::pair<Value, Value>, RelationKey> sets_;
};

}  // namespace zermelo::dd
