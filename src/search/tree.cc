#include "search/tree.h"

#include <algorithm>

namespace zermelo::search {
namespace {

std::uint64_t hash_of(const State& state) {
  std::uint64_t h = state.hash();
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 31);
}

}  // namespace

Edge& Choices::edge(std::span<const std::uint32_t> places) {
  if (decider != nobody) return edges[places[decider]];
  std::uint64_t number = 0;  // two joint moves get the same only beyond 2^64 of them
  for (std::size_t role = 0; role < places.size(); ++role) {
    number = number * (first[role + 1] - first[role]) + places[role];
  }
  return joint_edges[number];
}

// Joint edges come later, so they are counted as some for each move.
std::size_t Choices::bytes() const {
  const std::size_t edge_count = decider == nobody ? 4 * moves.size() : edges.size();
  return sizeof(Choices) + first.size() * sizeof(first[0]) + moves.size() * sizeof(moves[0]) +
         edge_count * sizeof(Edge);
}

Node* Tree::find(const State& state) const {
  const std::uint64_t hash = hash_of(state);
  const Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  return find(shard, state, hash);
}

Node* Tree::find(const Shard& shard, const State& state, std::uint64_t hash) {
  Node* node = shard.buckets[hash & (shard.buckets.size() - 1)];
  while (node != nullptr && (node->hash != hash || node->state != state)) node = node->next;
  return node;
}

Tree::Added Tree::add(const State& state, const Rewards* exact, std::uint32_t now) {
  const std::uint64_t hash = hash_of(state);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  if (Node* node = find(shard, state, hash)) return {node, false};
  if (shard.used == shard.buckets.size()) grow(shard);
  if (shard.free.empty()) shard.free.push_back(&shard.nodes.emplace_back());
  Node* node = shard.free.back();
  shard.free.pop_back();
  node->hash = hash;
  node->state = state;
  node->exact = exact;
  node->last_visit = now;
  Node*& bucket = shard.buckets[hash & (shard.buckets.size() - 1)];
  node->next = bucket;
  bucket = node;
  ++shard.used;
  bytes_ += bytes_of(*node);
  ++nodes_;
  return {node, true};
}

void Tree::grow(Shard& shard) {
  std::vector<Node*> buckets(shard.buckets.size() * 2);
  for (Node* node : shard.buckets) {
    while (node != nullptr) {
      Node*& bucket = buckets[node->hash & (buckets.size() - 1)];
      Node* const next = std::exchange(node->next, bucket);
      bucket = node;
      node = next;
    }
  }
  shard.buckets = std::move(buckets);
}

const Rewards* Tree::intern(const Rewards& rewards) {
  const std::lock_guard lock(rewards_mutex_);
  return &*rewards_.insert(rewards).first;
}

std::size_t Tree::bytes_of(const Node& node) {
  constexpr std::size_t overhead = 32;  // of the table and the state's own allocation
  return sizeof(Node) + node.state.words().size_bytes() + overhead +
         (node.choices ? node.choices->bytes() : 0);
}

void Tree::drop_oldest(const Node* root) {
  std::vector<std::uint32_t> visits;
  for (const Shard& shard : shards_) {
    for (const Node* node : shard.buckets) {
      for (; node != nullptr; node = node->next) visits.push_back(node->last_visit);
    }
  }
  const auto middle = visits.begin() + static_cast<std::ptrdiff_t>(visits.size() / 2);
  std::nth_element(visits.begin(), middle, visits.end());
  if (drop_before(*middle, root) == 0) drop_before(*middle + 1, root);
}

std::size_t Tree::drop_before(std::uint32_t time, const Node* root) {
  const std::size_t before = nodes_;
  for (Shard& shard : shards_) {
    for (Node*& bucket : shard.buckets) {
      for (Node** link = &bucket; *link != nullptr;) {
        if ((*link)->last_visit < time && *link != root) {
          drop(shard, *link);
        } else {
          link = &(*link)->next;
        }
      }
    }
  }
  return before - nodes_;
}

void Tree::drop(Shard& shard, Node*& link) {
  Node* const node = link;
  link = node->next;
  bytes_ -= bytes_of(*node);
  --nodes_;
  --shard.used;
  ++node->birth;
  node->choices.reset();
  shard.free.push_back(node);
}

}  // namespace zermelo::search
