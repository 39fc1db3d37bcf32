// The search tree: statistics of moves in the nodes, and a table that finds the node of a state, so
// that lines that lead to the same state share one node.
//
// All threads work on one tree. A node's own lock guards its choices; whether its value is proved
// is read without it. Nodes are only added while threads search; they are given up by drop_oldest,
// which must be alone and so does little at a time. An edge knows the birth of the node it leads
// to, so that it is seen to lead nowhere once that node was given up and its place taken by
// another.
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
#include "search/simulator.h"

namespace zermelo::search {

using eval::Rewards;
using eval::Worth;

class SpinLock {
 public:
  // Whoever waits only reads, so that the holder keeps the cache line.
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
  std::uint32_t visits = 0;      // playouts backed up; stays at the largest number
  std::uint32_t in_flight = 0;   // playouts that are on their way
  float rave_value = 0;          // the mean over playouts in which the role made the move later
  double value = 0;              // Q(s, a), 0 to 1
  const Worth* exact = nullptr;  // of the state it leads to, where it is the only choice made
  std::uint32_t rave_visits = 0;
};

struct Node;

struct Edge {
  Node* node = nullptr;
  std::uint32_t birth = 0;
};

inline constexpr std::size_t nobody = ~std::size_t{0};

// The moves of a node, made when it is visited the second time.
struct Choices {
  std::vector<std::uint32_t> first;   // by role, into moves; one more at the end
  std::vector<MoveStatistics> moves;  // role by role
  std::size_t decider = nobody;       // the only role with several moves; any where all are forced
  std::uint64_t visits = 0;           // N(s)
  std::uint64_t in_flight = 0;
  std::vector<Edge> edges;                              // by move of the decider
  std::unordered_map<std::uint64_t, Edge> joint_edges;  // by joint_number, with several deciders

  std::span<MoveStatistics> of_role(std::size_t role) {
    return std::span(moves).subspan(first[role], first[role + 1] - first[role]);
  }
  std::span<const MoveStatistics> of_role(std::size_t role) const {
    return std::span(moves).subspan(first[role], first[role + 1] - first[role]);
  }
  // Where a joint move leads; places are of each role's moves.
  Edge edge(std::span<const std::uint32_t> places) const;
  std::uint64_t joint_number(std::span<const std::uint32_t> places) const;
  std::size_t bytes() const;
};

struct Node {
  SpinLock lock;
  std::uint32_t birth = 0;
  std::uint32_t last_visit = 0;
  std::uint64_t hash = 0;
  Node* next = nullptr;                       // in the table
  std::atomic<const Worth*> exact = nullptr;  // what is proved; does not change any more
  std::unique_ptr<Choices> choices;
  State state;
};

class Tree {
 public:
  Tree() : shards_(shard_count) {}

  Node* find(const State& state) const;
  // The node of the state; `exact` is what a new one is known to be worth, or null.
  struct Added {
    Node* node;
    bool is_new;
  };
  Added add(const State& state, const Worth* exact, std::uint32_t now);

  // The same at one address for as long as the tree lives.
  const Worth* intern(const Worth& worth);

  // What the tree takes of the heap; choices are reported by those who make them.
  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  std::size_t nodes() const;
  void count_choices(const Choices& choices) { bytes_ += choices.bytes(); }
  // Lets a joint move lead to the child. The lock of the node whose choices these are is held.
  void connect(Choices& choices, std::span<const std::uint32_t> places, Node& child);
  // Gives up about half of the nodes in the next part of the table, those visited the longest time
  // ago, never `root`. Nobody else may use the tree meanwhile.
  void drop_oldest(const Node* root);
  // After so many calls every node was looked at.
  std::size_t parts() const;

  static bool leads_to_node(const Edge& edge) {
    return edge.node != nullptr && edge.node->birth == edge.birth;
  }

 private:
  static constexpr std::size_t shard_count = 64;
  static constexpr std::size_t part_buckets = 1'024;  // about a millisecond
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
  void drop_joint_edges(Part part);

  std::vector<Shard> shards_;
  std::size_t next_shard_ = 0, next_bucket_ = 0;    // of the next part
  alignas(64) std::atomic<std::size_t> bytes_ = 0;  // not in the cache line that all read
  std::mutex worths_mutex_;
  std::set<Worth> worths_;
};

}  // namespace zermelo::search
