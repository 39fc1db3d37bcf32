// Strongly connected components of a directed graph, by Tarjan's algorithm. The stack is explicit,
// so that long paths do not overflow the call stack.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace zermelo::base {

struct Components {
  std::vector<std::uint32_t> component_of;  // by node
  std::uint32_t count = 0;
};

// `successor(node, i)` returns the i-th successor of a node, or `no_node` past the last one. For
// each node it is called with i = 0, 1, 2, ... Components are numbered in reverse topological
// order: a node's successors have the same or a smaller number.
inline constexpr std::uint32_t no_node = ~std::uint32_t{0};

template <class Successor>
Components strongly_connected_components(std::uint32_t nodes, Successor successor) {
  constexpr std::uint32_t unvisited = ~std::uint32_t{0};
  struct Frame {
    std::uint32_t node;
    std::uint64_t edge;
  };
  Components result{std::vector<std::uint32_t>(nodes, unvisited), 0};
  std::vector<std::uint32_t> order(nodes, unvisited), low(nodes, 0), stack;
  std::vector<Frame> frames;
  std::uint32_t visited = 0;

  const auto enter = [&](std::uint32_t node) {
    order[node] = low[node] = visited++;
    stack.push_back(node);
    frames.push_back({node, 0});
  };
  const auto close = [&](std::uint32_t node) {
    std::uint32_t member;
    do {
      member = stack.back();
      stack.pop_back();
      result.component_of[member] = result.count;
    } while (member != node);
    ++result.count;
  };
  for (std::uint32_t root = 0; root < nodes; ++root) {
    if (order[root] != unvisited) continue;
    enter(root);
    while (!frames.empty()) {
      const std::uint32_t node = frames.back().node;
      const std::uint32_t target = successor(node, frames.back().edge++);
      if (target == no_node) {
        frames.pop_back();
        if (low[node] == order[node]) close(node);
        if (!frames.empty()) low[frames.back().node] = std::min(low[frames.back().node], low[node]);
      } else if (order[target] == unvisited) {
        enter(target);
      } else if (result.component_of[target] == unvisited) {
        low[node] = std::min(low[node], order[target]);
      }
    }
  }
  return result;
}

}  // namespace zermelo::base
