// A directed graph as adjacency lists in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace zermelo::gdl {

struct Edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

class Adjacency {
 public:
  Adjacency(std::size_t nodes, const std::vector<Edge>& edges);

  // The successors of a node are the targets at positions [begin, end).
  std::uint32_t begin(std::uint32_t node) const { return starts_[node]; }
  std::uint32_t end(std::uint32_t node) const { return starts_[node + 1]; }
  std::uint32_t target(std::uint32_t position) const { return targets_[position]; }

  // Returns the strongly connected component of each node. Components are numbered from 0 in
  // reverse topological order: an edge leads to the same or a smaller number.
  std::vector<std::uint32_t> components() const;

 private:
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> targets_;
};

}  // namespace zermelo::gdl
