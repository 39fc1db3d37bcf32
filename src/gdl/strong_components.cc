// Tarjan's algorithm (Depth-first search and linear graph algorithms, SIAM Journal on Computing,
// 1972) with the recursion turned into a stack of its own: a rulesheet may have chains of a hundred
// thousand predicates, and the depth of the search must not be that of the program's stack. Tarjan
// numbers a component when all that it reaches is numbered, so numbers give an order of evaluation.
#include "gdl/strong_components.h"

#include <algorithm>

namespace zermelo::gdl {
namespace {

class Tarjan {
 public:
  explicit Tarjan(const Adjacency& edges)
      : edges_(edges),
        order_(edges.nodes(), 0),
        low_(edges.nodes(), 0),
        components_(edges.nodes(), unnumbered) {}

  std::vector<std::uint32_t> run() {
    for (std::uint32_t node = 0; node < order_.size(); ++node) {
      if (order_[node] == 0) search(node);
    }
    return std::move(components_);
  }

 private:
  static constexpr std::uint32_t unnumbered = UINT32_MAX;

  struct Visit {
    std::uint32_t node;
    std::uint32_t position;
  };

  void search(std::uint32_t root) {
    open(root);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      if (visit.position == edges_.end(visit.node)) {
        close(visit.node);
      } else {
        follow(visit.node, edges_.target(visit.position++));
      }
    }
  }

  void open(std::uint32_t node) {
    order_[node] = low_[node] = ++visited_;
    pending_.push_back(node);
    visits_.push_back({node, edges_.begin(node)});
  }

  void follow(std::uint32_t from, std::uint32_t to) {
    if (order_[to] == 0) {
      open(to);
    } else if (components_[to] == unnumbered) {
      low_[from] = std::min(low_[from], order_[to]);
    }
  }

  void close(std::uint32_t node) {
    visits_.pop_back();
    if (!visits_.empty()) {
      std::uint32_t& low = low_[visits_.back().node];
      low = std::min(low, low_[node]);
    }
    if (low_[node] == order_[node]) number_component(node);
  }

  void number_component(std::uint32_t root) {
    std::uint32_t node;
    do {
      node = pending_.back();
      pending_.pop_back();
      components_[node] = component_count_;
    } while (node != root);
    ++component_count_;
  }

  const Adjacency& edges_;
  std::vector<std::uint32_t> order_;  // 0 before the visit
  std::vector<std::uint32_t> low_;
  std::vector<std::uint32_t> components_;
  std::vector<Visit> visits_;
  std::vector<std::uint32_t> pending_;
  std::uint32_t visited_ = 0;
  std::uint32_t component_count_ = 0;
};

}  // namespace

Adjacency::Adjacency(std::size_t nodes, const std::vector<Edge>& edges)
    : starts_(nodes + 1, 0), targets_(edges.size()) {
  for (const Edge& edge : edges) ++starts_[edge.from + 1];
  for (std::size_t i = 0; i < nodes; ++i) starts_[i + 1] += starts_[i];
  std::vector<std::uint32_t> fill(starts_.begin(), starts_.end() - 1);
  for (const Edge& edge : edges) targets_[fill[edge.from]++] = edge.to;
}

std::vector<std::uint32_t> strong_components(const Adjacency& edges) { return Tarjan(edges).run(); }

}  // namespace zermelo::gdl
