// Strongly connected components of a directed graph.
#pragma once

#include <cstdint>
#include <vector>

namespace zermelo::gdl {

struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

// Neighbours of every node, as slices of one array.
class Adjacency {
 public:
  Adjacency(std::size_t nodes, const std::vector<Edge>& edges);

  std::size_t nodes() const { return starts_.size() - 1; }
  std::uint32_t begin(std::uint32_t node) const { return starts_[node]; }
  std::uint32_t end(std::uint32_t node) const { return starts_[node + 1]; }
  std::uint32_t target(std::uint32_t position) const { return targets_[position]; }

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> targets_;
};

// The component of each node, numbered from 0 so that edges only lead to the same or a smaller
// number.
std::vector<std::uint32_t> strong_components(const Adjacency& edges);

}  // namespace zermelo::gdl
