// The search tree: move statistics in the nodes, and a hash table that finds the node of a state,
// so that transpositions share one node.
//
// All threads work on one tree. A node's own lock guards its choices; `exact` is read without it.
// While threads search, nodes are only added. evict_oldest removes nodes; it needs exclusive access
// and therefore does little per call. An edge stores the birth of the node it leads to, so that a
// dead edge is detected even if its node was evicted and reused for another state.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <unordered_map>
#include <vector>

#include "eval/state_values.h"
#include "search/regret_matching.h"
#include "search/simulator.h"

namespace zermelo::search {

using eval::Rewards;
using eval::Worth;

class SpinLock {
 public:
  // Waiting threads only read, so that the holder keeps the cache line.
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) {
      for (unsigned tries = 1; flag_.test(std::memory_order_relaxed); ++tries) {
        if (tries % 64 == 0) std::this_thread::yield();
      }
    }
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

// What is known about one move of one role in a node.
struct MoveStatistics {
  Move move = 0;
  std::uint32_t visits = 0;      // playouts backed up; saturates
  std::uint32_t in_flight = 0;   // playouts in flight
  float rave_value = 0;          // mean over the playouts in which the role made the move later
  double value = 0;              // Q(s, a), 0 to 1
  const Worth* exact = nullptr;  // value of the next state, if only this role has a choice
  std::uint32_t rave_visits = 0;
};

struct Node;

struct Edge {
  Node* node = nullptr;
  std::uint32_t birth = 0;
};

inline constexpr std::size_t nobody = ~std::size_t{0};

// The moves of a node, listed on its second visit.
struct Choices {
  std::vector<std::uint32_t> first;   // by role: index into moves; one more at the end
  std::vector<MoveStatistics> moves;  // role by role
  std::size_t decider = nobody;  // the only role with several moves, or any role if all are forced
  std::uint64_t visits = 0;      // N(s)
  std::uint64_t in_flight = 0;
  std::uint64_t expansions = 0;  // done or under way to prove that the decider wins
  std::vector<Edge> edges;       // by move of the decider
  std::unordered_map<std::uint64_t, Edge> joint_edges;  // by joint_number, if several roles decide
  std::unique_ptr<RegretTable> regrets;  // if several roles decide and regret matching is used

  std::span<MoveStatistics> of_role(std::size_t role) {
    return std::span(moves).subspan(first[role], first[role + 1] - first[role]);
  }
  std::span<const MoveStatistics> of_role(std::size_t role) const {
    return std::span(moves).subspan(first[role], first[role + 1] - first[role]);
  }
  // Returns where a joint move leads, given the index of each role's move.
  Edge edge(std::span<const std::uint32_t> indices) const;
  std::uint64_t joint_number(std::span<const std::uint32_t> indices) const;
  std::size_t bytes() const;
};

struct Node {
  SpinLock lock;
  std::uint32_t birth = 0;
  std::uint32_t last_visit = 0;
  std::uint64_t hash = 0;
  Node* next = nullptr;                       // in the bucket
  std::atomic<const Worth*> exact = nullptr;  // proved value; never changes once set
  std::unique_ptr<Choices> choices;
  State state;
};

class Tree {
 public:
  Tree() : shards_(shard_count) {}

  Node* find(const State& state) const;
  // Returns the node of the state. A new node gets the known value `exact`, which may be null.
  struct Added {
    Node* node;
    bool is_new;
  };
  Added add(const State& state, const Worth* exact, std::uint32_t now);

  // Returns a copy of the value whose address stays valid as long as the tree.
  const Worth* intern(const Worth& worth);

  // Returns the heap usage of the tree. Whoever creates choices must report their size.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  std::size_t nodes() const;
  void count_choices(const Choices& choices) { bytes_ += choices.bytes(); }
  void count_regrets(const RegretTable& regrets) { bytes_ += regrets.bytes(); }
  // Connects a joint move with the child. The caller must hold the lock of the node that owns the
  // choices.
  void connect(Choices& choices, std::span<const std::uint32_t> indices, Node& child);
  // Evicts about half of the nodes in the next part of the table, the least recently visited ones,
  // but never `root`. Requires exclusive access to the tree.
  void evict_oldest(const Node* root);
  // Returns the number of calls of evict_oldest that cover the whole tree.
  std::size_t parts() const;

  static bool leads_to_node(const Edge& edge) {
    return edge.node != nullptr && edge.node->birth == edge.birth;
  }

 private:
  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t part_buckets = 1'024;  // takes about a millisecond
  using Part = std::span<Node*>;                      // buckets of one shard

  struct alignas(64) Shard {  // in cache lines of its own
    mutable std::mutex mutex;
    std::vector<Node*> buckets = std::vector<Node*>(64);
    std::deque<Node> nodes;
    std::vector<Node*> free;
    std::size_t used = 0;
  };

  Shard& shard_of(std::uint64_t hash) { return shards_[hash >> 58]; }
  const Shard& shard_of(std::uint64_t hash) const { return shards_[hash >> 58]; }
  static Node* find(const Shard& shard, const State& state, std::uint64_t hash);
  static void grow(Shard& shard);
  Part next_part();
  std::size_t drop_before(std::uint32_t time, Shard& shard, Part part, const Node* root);
  void drop(Shard& shard, Node*& link);
  void remove_dead_edges(Part part);

  std::vector<Shard> shards_;
  std::size_t next_shard_ = 0, next_bucket_ = 0;    // where the next part begins
  alignas(64) std::atomic<std::size_t> bytes_ = 0;  // not in the cache line that all threads read
  std::mutex worths_mutex_;
  std::set<Worth> worths_;
};

}  // namespace zermelo::search
