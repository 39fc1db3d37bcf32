#include "search/tree.h"

#include <algorithm>

namespace zermelo::search {
namespace {

constexpr std::size_t joint_edge_bytes = 64;  // with its share of the map and its allocation

std::uint64_t hash_of(const State& state) {
  std::uint64_t h = state.hash();
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 31);
}

}  // namespace

Edge Choices::edge(std::span<const std::uint32_t> places) const {
  if (decider != nobody) return edges[places[decider]];
  const auto found = joint_edges.find(joint_number(places));
  return found == joint_edges.end() ? Edge() : found->second;
}

// Two joint moves get the same number only beyond 2^64 of them.
std::uint64_t Choices::joint_number(std::span<const std::uint32_t> places) const {
  std::uint64_t number = 0;
  for (std::size_t role = 0; role < places.size(); ++role) {
    number = number * (first[role + 1] - first[role]) + places[role];
  }
  return number;
}

std::size_t Choices::bytes() const {
  return sizeof(Choices) + first.size() * sizeof(first[0]) + moves.size() * sizeof(moves[0]) +
         edges.size() * sizeof(Edge) + joint_edges.size() * joint_edge_bytes;
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

void Tree::connect(Choices& choices, std::span<const std::uint32_t> places, Node& child) {
  const Edge edge{&child, child.birth};
  if (choices.decider != nobody) {
    choices.edges[places[choices.decider]] = edge;
  } else if (choices.joint_edges.insert_or_assign(choices.joint_number(places), edge).second) {
    bytes_ += joint_edge_bytes;
  }
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
  drop_joint_edges();
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

// Those that lead nowhere. Edges by move have their places whether they lead somewhere or not.
void Tree::drop_joint_edges() {
  for (Shard& shard : shards_) {
    for (Node* node : shard.buckets) {
      for (; node != nullptr; node = node->next) {
        if (!node->choices) continue;
        bytes_ -= joint_edge_bytes *
                  std::erase_if(node->choices->joint_edges,
                                [](const auto& edge) { return !leads_to_node(edge.second); });
      }
    }
  }
}

}  // namespace zermelo::search
