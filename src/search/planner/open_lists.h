// Open lists of best-first search: what to expand next.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "search/planner/plan_space.h"

namespace zermelo::search::planner {

// Nodes by an estimate, lowest first; equal ones in the order they came, or the last first.
class BucketList {
 public:
  explicit BucketList(bool last_first) : last_first_(last_first) {}

  bool empty() const { return size_ == 0; }
  void push(NodeIndex node, std::uint32_t estimate) {
    if (buckets_.size() <= estimate) buckets_.resize(estimate + 1);
    buckets_[estimate].push_back(node);
    lowest_ = std::min<std::size_t>(lowest_, estimate);
    ++size_;
  }
  NodeIndex pop() {
    while (buckets_[lowest_].empty()) ++lowest_;
    std::deque<NodeIndex>& bucket = buckets_[lowest_];
    const NodeIndex node = last_first_ ? bucket.back() : bucket.front();
    last_first_ ? bucket.pop_back() : bucket.pop_front();
    --size_;
    return node;
  }

 private:
  std::vector<std::deque<NodeIndex>> buckets_;
  std::size_t lowest_ = 0;
  std::size_t size_ = 0;
  bool last_first_;
};

// Nodes by type, a pair of numbers. A random node of a random type is next, so that rare types are
// tried as often as frequent ones (type-based exploration, Xie et al. 2014).
class TypeList {
 public:
  explicit TypeList(std::uint64_t seed) : random_(seed) {}

  bool empty() const { return types_.empty(); }
  void push(NodeIndex node, std::uint32_t first, std::uint32_t second) {
    const std::uint64_t type = std::uint64_t{first} << 32 | second;
    const auto [place, is_new] = place_of_.emplace(type, types_.size());
    if (is_new) types_.push_back({type, {}});
    types_[place->second].nodes.push_back(node);
  }
  NodeIndex pop() {
    const std::size_t at = random_.below(static_cast<std::uint32_t>(types_.size()));
    std::vector<NodeIndex>& nodes = types_[at].nodes;
    std::swap(nodes[random_.below(static_cast<std::uint32_t>(nodes.size()))], nodes.back());
    const NodeIndex node = nodes.back();
    nodes.pop_back();
    if (nodes.empty()) remove(at);
    return node;
  }

 private:
  struct Type {
    std::uint64_t type;
    std::vector<NodeIndex> nodes;
  };

  void remove(std::size_t at) {
    place_of_.erase(types_[at].type);
    if (at + 1 != types_.size()) {
      types_[at] = std::move(types_.back());
      place_of_[types_[at].type] = at;
    }
    types_.pop_back();
  }

  base::Random random_;
  std::vector<Type> types_;
  std::unordered_map<std::uint64_t, std::size_t> place_of_;
};

}  // namespace zermelo::search::planner
