// Games of a token that is moved on a random graph, in which states can occur again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "solve/common/opponent_model.h"

namespace zermelo::solve {

struct Graph {
  std::size_t roles = 1;
  std::vector<std::vector<std::size_t>> edges;  // by node; none where the game ends
  std::vector<std::size_t> movers;              // by node
  std::vector<int> rewards;                     // by node: of role 0
};

inline Graph random_graph(std::uint64_t seed, std::size_t roles) {
  base::Random random(seed);
  const std::uint32_t nodes = 4 + random.below(9);
  Graph graph;
  graph.roles = roles;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    graph.movers.push_back(random.below(static_cast<std::uint32_t>(roles)));
    graph.rewards.push_back(static_cast<int>(25 * random.below(5)));
    graph.edges.emplace_back();
    if (n > 0 && random.below(3) == 0) continue;
    for (std::uint32_t e = 0; e < 1 + random.below(3); ++e) {
      graph.edges.back().push_back(random.below(nodes));
    }
  }
  return graph;
}

inline Rewards rewards_at(const Graph& graph, std::size_t node) {
  if (graph.roles == 1) return {graph.rewards[node]};
  return {graph.rewards[node], 100 - graph.rewards[node]};
}

inline std::string rules_of(const Graph& graph) {
  std::string text = "(init (at n0))\n";
  for (std::size_t r = 0; r < graph.roles; ++r) {
    text += "(role r" + std::to_string(r) + ")\n";
  }
  for (std::size_t n = 0; n < graph.edges.size(); ++n) {
    const std::string node = "n" + std::to_string(n);
    const std::string mover = "r" + std::to_string(graph.movers[n]);
    text += "(node " + node + ") (mover " + node + " " + mover + ")\n";
    for (const std::size_t target : graph.edges[n]) {
      text += "(edge " + node + " n" + std::to_string(target) + ")\n";
    }
    if (!graph.edges[n].empty()) continue;
    text += "(end " + node + ")\n";
    const Rewards rewards = rewards_at(graph, n);
    for (std::size_t r = 0; r < graph.roles; ++r) {
      text +=
          "(reward " + node + " r" + std::to_string(r) + " " + std::to_string(rewards[r]) + ")\n";
    }
  }
  return text + R"(
    (<= (legal ?role (go ?to)) (true (at ?from)) (mover ?from ?role) (edge ?from ?to))
    (<= (legal ?role noop) (role ?role) (true (at ?from)) (not (mover ?from ?role)))
    (<= (next (at ?to)) (does ?role (go ?to)))
    (<= terminal (true (at ?node)) (end ?node))
    (<= (goal ?role ?reward) (true (at ?node)) (reward ?node ?role ?reward))
    (end nowhere) (edge nowhere nowhere) (reward nowhere nobody 0)
  )";
}

}  // namespace zermelo::solve
