// Sharing: conjunctions that occur in several nodes are computed once.
//
// First, nodes that only one other node reads, unnegated, are merged into it: a & (b & c) = a & b &
// c. Then, repeatedly, the pair of literals that occurs in the most nodes becomes a node and
// replaces the pair wherever it occurs (the greedy extraction of two-literal divisors of Rajski and
// Vasudevamurthy, 1992). Since disjunctions are negated conjunctions, the same step also shares
// parts of sets of moves.
//
// The number of pairs of a node is quadratic in its size. Large nodes are skipped; the size limit
// is lowered until the total number of pairs is acceptable for the time to start a game.
#include <algorithm>
#include <queue>

#include "circuit/game_circuit.h"

namespace zermelo::circuit {

namespace {

constexpr std::size_t max_pairs = 6'000'000;
constexpr std::size_t largest_node = 1200;

using Pair = std::pair<Wire, Wire>;

class PairSharing {
 public:
  PairSharing(GameCircuit& game, const base::Limits& limits)
      : game_(game), old_(game.circuit), fresh_(limits) {}

  void run() {
    count_readers();
    merge_single_readers();
    collect_pairs();
    while (!queue_.empty()) take_best_pair();
    rebuild();
  }

 private:
  void count_readers() {
    readers_.assign(old_.size(), 0);
    std::vector<Node> open;
    const auto read = [&](Wire wire, std::uint32_t times) {
      const bool seen = readers_[node_of(wire)] != 0;
      readers_[node_of(wire)] += times;
      if (!seen && old_.is_gate(node_of(wire))) open.push_back(node_of(wire));
    };
    for_each_output(game_, [&](Wire wire) { read(wire, 2); });
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      for (const Wire wire : old_.wires(node)) read(wire, 1);
    }
  }

  void merge_single_readers() {
    wires_.resize(old_.size());
    for (Node node = 0; node < old_.size(); ++node) {
      if (readers_[node] == 0) continue;
      fresh_.count_steps(old_.wires(node).size());
      std::vector<Wire>& merged = wires_[node];
      for (const Wire wire : old_.wires(node)) {
        const Node child = node_of(wire);
        if (!is_negated(wire) && old_.is_gate(child) && readers_[child] == 1) {
          merged.insert(merged.end(), wires_[child].begin(), wires_[child].end());
          wires_[child].clear();
        } else {
          merged.push_back(wire);
        }
      }
      std::sort(merged.begin(), merged.end());
      merged.erase(std::unique(merged.begin(), merged.end()), merged.end());
    }
  }

  std::size_t node_limit() const {
    std::size_t limit = largest_node;
    for (; limit > 4; limit = limit * 3 / 4) {
      std::size_t pairs = 0;
      for (const std::vector<Wire>& wires : wires_) {
        if (wires.size() <= limit) pairs += wires.size() * wires.size() / 2;
      }
      if (pairs <= max_pairs) break;
    }
    return limit;
  }

  void collect_pairs() {
    const std::size_t limit = node_limit();
    std::vector<std::pair<Pair, Node>> found;
    for (Node node = 0; node < wires_.size(); ++node) {
      const std::vector<Wire>& wires = wires_[node];
      if (wires.size() > limit) continue;
      fresh_.count_steps(wires.size() * wires.size() / 2);
      for (std::size_t i = 0; i < wires.size(); ++i) {
        for (std::size_t j = i + 1; j < wires.size(); ++j)
          found.push_back({{wires[i], wires[j]}, node});
      }
    }
    std::sort(found.begin(), found.end());
    add_candidates(found);
  }

  // Queues the pairs that occur at least twice in a sorted list of occurrences.
  void add_candidates(const std::vector<std::pair<Pair, Node>>& sorted) {
    for (std::size_t i = 0; i < sorted.size();) {
      std::size_t j = i;
      fresh_.count_steps(1);
      while (j < sorted.size() && sorted[j].first == sorted[i].first) ++j;
      if (j - i > 1) {
        Candidate candidate{sorted[i].first, {}};
        for (; i < j; ++i) candidate.nodes.push_back(sorted[i].second);
        push(std::move(candidate));
      }
      i = j;
    }
  }

  struct Candidate {
    Pair pair;
    std::vector<Node> nodes;
  };
  struct Entry {
    std::size_t count;
    Pair pair;
    std::uint32_t candidate;
    // The most frequent first, then by the pair, so that the result is deterministic.
    bool operator<(const Entry& other) const {
      return count != other.count ? count < other.count : pair > other.pair;
    }
  };

  void push(Candidate candidate) {
    queue_.push(
        {candidate.nodes.size(), candidate.pair, static_cast<std::uint32_t>(candidates_.size())});
    candidates_.push_back(std::move(candidate));
  }

  bool contains(Node node, Wire wire) const {
    return std::binary_search(wires_[node].begin(), wires_[node].end(), wire);
  }

  void take_best_pair() {
    const Entry entry = queue_.top();
    queue_.pop();
    Candidate& candidate = candidates_[entry.candidate];
    fresh_.count_steps(candidate.nodes.size());
    const auto [a, b] = candidate.pair;
    std::erase_if(candidate.nodes, [&, a = a, b = b](Node node) {
      return !contains(node, a) || !contains(node, b);
    });
    if (candidate.nodes.size() < 2) {
      candidate.nodes = {};
    } else if (candidate.nodes.size() < entry.count) {
      queue_.push({candidate.nodes.size(), candidate.pair, entry.candidate});
    } else {
      extract(std::move(candidate));
    }
  }

  void extract(Candidate candidate) {
    const auto [a, b] = candidate.pair;
    const auto same = std::find_if(candidate.nodes.begin(), candidate.nodes.end(),
                                   [&](Node node) { return wires_[node].size() == 2; });
    const Node shared = same != candidate.nodes.end() ? *same : static_cast<Node>(wires_.size());
    if (shared == wires_.size()) wires_.push_back({a, b});
    std::vector<std::pair<Pair, Node>> found;
    for (const Node node : candidate.nodes) {
      if (node == shared) continue;
      std::vector<Wire>& wires = wires_[node];
      fresh_.count_steps(wires.size());
      std::erase_if(wires, [&, a = a, b = b](Wire wire) { return wire == a || wire == b; });
      for (const Wire wire : wires) found.push_back({std::minmax(wire, shared * 2), node});
      wires.insert(std::lower_bound(wires.begin(), wires.end(), shared * 2), shared * 2);
    }
    std::sort(found.begin(), found.end());
    add_candidates(found);
  }

  // Builds a new circuit from the remaining nodes, in the order of their dependencies.
  void rebuild() {
    new_wire_.assign(wires_.size(), unknown);
    new_wire_[0] = always_true;
    for (Node node = 1; node < old_.size(); ++node) {
      if (!old_.is_gate(node)) new_wire_[node] = fresh_.add_input();
    }
    for_each_output(game_, [&](Wire& wire) { wire = renewed(wire); });
    for (Wire& wire : game_.fluents) wire = renewed(wire);
    for (Wire& wire : game_.does) wire = renewed(wire);
    for (Loop& loop : game_.loops) {
      for (Wire& wire : loop.variables) wire = renewed(wire);
    }
    game_.circuit = std::move(fresh_);
  }

  Wire renewed(Wire wire) {
    std::vector<Node> open{node_of(wire)};
    while (!open.empty()) {
      const Node node = open.back();
      if (new_wire_[node] != unknown) {
        open.pop_back();
        continue;
      }
      bool ready = true;
      for (const Wire child : wires_[node]) {
        if (new_wire_[node_of(child)] != unknown) continue;
        open.push_back(node_of(child));
        ready = false;
      }
      if (ready) new_wire_[node] = conjunction(wires_[node]);
    }
    return new_wire_[node_of(wire)] ^ (wire & 1);
  }

  Wire conjunction(const std::vector<Wire>& wires) {
    std::vector<Wire> result;
    for (const Wire wire : wires) result.push_back(new_wire_[node_of(wire)] ^ (wire & 1));
    return fresh_.all_of(std::move(result));
  }

  static constexpr Wire unknown = ~Wire{0};

  GameCircuit& game_;
  const Circuit old_;
  std::vector<std::uint32_t> readers_;    // by node; outputs count twice, so that they stay
  std::vector<std::vector<Wire>> wires_;  // by node
  std::vector<Candidate> candidates_;
  std::priority_queue<Entry> queue_;
  Circuit fresh_;
  std::vector<Wire> new_wire_;
};

}  // namespace

void share_pairs(GameCircuit& game, const base::Limits& limits) {
  share_companions(game, limits);
  PairSharing(game, limits).run();
}

}  // namespace zermelo::circuit
