// When the tree is full, old nodes are evicted part by part. A part is a range of buckets of one
// shard; the less recently visited half of its nodes is evicted. The median of a part is found
// without looking at the rest of the tree. The parts are alike, since states are distributed by
// hash. So other threads wait for about a millisecond at a time instead of a pass over the whole
// tree.
#include "search/tree.h"

#include <algorithm>

namespace zermelo::search {
namespace {

constexpr std::size_t joint_edge_bytes = 64;  // with its share of the map and its allocation
// With its share of the deque, of the table and of the free list. Evicted nodes are reused.
constexpr std::size_t node_bytes = sizeof(Node) + 32;

// Estimates the heap usage of a block.
std::size_t heap_bytes(std::size_t bytes) {
  return bytes == 0 ? 0 : std::max<std::size_t>((bytes + 8 + 15) / 16 * 16, 32);
}

template <class Element>
std::size_t heap_bytes(const std::vector<Element>& elements) {
  return heap_bytes(elements.capacity() * sizeof(Element));
}

std::size_t heap_bytes(const State& state) { return heap_bytes(state.words().size_bytes()); }

std::uint64_t hash_of(const State& state) {
  std::uint64_t h = state.hash();
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  return h ^ (h >> 31);
}

}  // namespace

Edge Choices::edge(std::span<const std::uint32_t> indices) const {
  if (decider != nobody) return edges[indices[decider]];
  const auto found = joint_edges.find(joint_number(indices));
  return found == joint_edges.end() ? Edge() : found->second;
}

// The numbers are distinct for up to 2^64 joint moves.
std::uint64_t Choices::joint_number(std::span<const std::uint32_t> indices) const {
  std::uint64_t number = 0;
  for (std::size_t role = 0; role < indices.size(); ++role) {
    number = number * (first[role + 1] - first[role]) + indices[role];
  }
  return number;
}

std::size_t Choices::bytes() const {
  return heap_bytes(sizeof(Choices)) + heap_bytes(first) + heap_bytes(moves) + heap_bytes(edges) +
         joint_edges.size() * joint_edge_bytes + (regrets ? regrets->bytes() : 0);
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

Tree::Added Tree::add(const State& state, const Worth* exact, std::uint32_t now) {
  const std::uint64_t hash = hash_of(state);
  Shard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex);
  if (Node* node = find(shard, state, hash)) return {node, false};
  if (shard.used == shard.buckets.size()) grow(shard);
  std::size_t bytes = heap_bytes(state);
  if (shard.free.empty()) {
    shard.free.push_back(&shard.nodes.emplace_back());
    bytes += node_bytes;
  }
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
  bytes_ += bytes;
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

const Worth* Tree::intern(const Worth& worth) {
  const std::lock_guard lock(worths_mutex_);
  return &*worths_.insert(worth).first;
}

void Tree::connect(Choices& choices, std::span<const std::uint32_t> indices, Node& child) {
  const Edge edge{&child, child.birth};
  if (choices.decider != nobody) {
    choices.edges[indices[choices.decider]] = edge;
  } else if (choices.joint_edges.insert_or_assign(choices.joint_number(indices), edge).second) {
    bytes_ += joint_edge_bytes;
  }
}

std::size_t Tree::nodes() const {
  std::size_t nodes = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    nodes += shard.used;
  }
  return nodes;
}

std::size_t Tree::parts() const {
  std::size_t parts = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock(shard.mutex);
    parts += (shard.buckets.size() + part_buckets - 1) / part_buckets;
  }
  return parts;
}

Tree::Part Tree::next_part() {
  const Part buckets(shards_[next_shard_].buckets);
  const Part part =
      buckets.subspan(next_bucket_).first(std::min(part_buckets, buckets.size() - next_bucket_));
  next_bucket_ += part.size();
  if (next_bucket_ == buckets.size()) {
    next_shard_ = (next_shard_ + 1) % shard_count;
    next_bucket_ = 0;
  }
  return part;
}

void Tree::evict_oldest(const Node* root) {
  Shard& shard = shards_[next_shard_];
  const Part part = next_part();
  std::vector<std::uint32_t> visits;
  for (const Node* node : part) {
    for (; node != nullptr; node = node->next) visits.push_back(node->last_visit);
  }
  if (visits.empty()) return;
  const auto middle = visits.begin() + static_cast<std::ptrdiff_t>(visits.size() / 2);
  std::nth_element(visits.begin(), middle, visits.end());
  if (drop_before(*middle, shard, part, root) == 0) drop_before(*middle + 1, shard, part, root);
  remove_dead_edges(part);
}

std::size_t Tree::drop_before(std::uint32_t time, Shard& shard, Part part, const Node* root) {
  const std::size_t before = shard.used;
  for (Node*& bucket : part) {
    for (Node** link = &bucket; *link != nullptr;) {
      if ((*link)->last_visit < time && *link != root) {
        drop(shard, *link);
      } else {
        link = &(*link)->next;
      }
    }
  }
  return before - shard.used;
}

void Tree::drop(Shard& shard, Node*& link) {
  Node* const node = link;
  link = node->next;
  bytes_ -= heap_bytes(node->state) + (node->choices ? node->choices->bytes() : 0);
  --shard.used;
  ++node->birth;
  node->state = State();
  node->choices.reset();
  shard.free.push_back(node);
}

// Removes dead edges. Edges by move of the decider stay allocated in any case.
void Tree::remove_dead_edges(Part part) {
  for (Node* node : part) {
    for (; node != nullptr; node = node->next) {
      if (!node->choices) continue;
      bytes_ -= joint_edge_bytes * std::erase_if(node->choices->joint_edges, [](const auto& edge) {
                  return !leads_to_node(edge.second);
                });
    }
  }
}

}  // namespace zermelo::search
