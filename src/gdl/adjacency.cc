#include "gdl/adjacency.h"

#include "base/components.h"

namespace zermelo::gdl {

Adjacency::Adjacency(std::size_t nodes, const std::vector<Edge>& edges)
    : starts_(nodes + 1, 0), targets_(edges.size()) {
  for (const Edge& edge : edges) ++starts_[edge.from + 1];
  for (std::size_t i = 0; i < nodes; ++i) starts_[i + 1] += starts_[i];
  std::vector<std::uint32_t> fill(starts_.begin(), starts_.end() - 1);
  for (const Edge& edge : edges) targets_[fill[edge.from]++] = edge.to;
}

std::vector<std::uint32_t> Adjacency::components() const {
  const auto nodes = static_cast<std::uint32_t>(starts_.size() - 1);
  const auto successor = [this](std::uint32_t node, std::uint64_t i) {
    return i < end(node) - begin(node) ? target(begin(node) + static_cast<std::uint32_t>(i))
                                       : base::no_node;
  };
  return base::strongly_connected_components(nodes, successor).component_of;
}

}  // namespace zermelo::gdl
