// Companions: literals that occur in exactly the same nodes become one node.
//
// The threats of a rook and of a queen on the same square occur together in thousands of large
// conjunctions, too many to compare all pairs of literals as share_pairs.cc does. Here each literal
// gets the sum of random numbers of the nodes it occurs in. Literals with equal sums occur, except
// for an unlikely collision, in the same nodes. They are combined within a node that contains them
// all, so a collision only costs one operation. The time is linear in the size of the circuit.
#include <algorithm>
#include <utility>

#include "circuit/game_circuit.h"

namespace zermelo::circuit {

namespace {

class CompanionSharing {
 public:
  CompanionSharing(GameCircuit& game, const base::Limits& limits)
      : game_(game), old_(game.circuit), fresh_(limits) {}

  void run() {
    find_reached();
    sum_nodes();
    for (Node node = 1; node < old_.size(); ++node) new_wire_.push_back(renewed_node(node));
    const auto renew = [&](Wire& wire) { wire = renewed(wire); };
    for_each_output(game_, renew);
    std::for_each(game_.fluents.begin(), game_.fluents.end(), renew);
    std::for_each(game_.does.begin(), game_.does.end(), renew);
    for (Loop& loop : game_.loops) {
      std::for_each(loop.variables.begin(), loop.variables.end(), renew);
    }
    game_.circuit = std::move(fresh_);
  }

 private:
  // A node has a higher number than those it reads.
  void find_reached() {
    reached_.resize(old_.size());
    for_each_output(game_, [&](Wire wire) { reached_[node_of(wire)] = true; });
    for (Node node = old_.size(); node-- > 0;) {
      if (!reached_[node]) continue;
      for (const Wire wire : old_.wires(node)) reached_[node_of(wire)] = true;
    }
  }

  void sum_nodes() {
    sums_.resize(old_.size() * 2);
    times_.resize(old_.size() * 2);
    for (Node node = 0; node < old_.size(); ++node) {
      if (!reached_[node]) continue;
      for (const Wire wire : old_.wires(node)) {
        sums_[wire] += mixed(node);
        ++times_[wire];
      }
    }
  }

  // The last step of the generator SplitMix64.
  static std::uint64_t mixed(std::uint64_t number) {
    number *= 0x9e3779b97f4a7c15u;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
    return number ^ (number >> 31);
  }

  Wire renewed(Wire wire) const { return new_wire_[node_of(wire)] ^ (wire & 1); }

  Wire renewed_node(Node node) {
    if (!old_.is_gate(node)) return fresh_.add_input();
    return reached_[node] ? conjunction(node) : always_false;
  }

  Wire conjunction(Node node) {
    std::vector<std::pair<std::uint64_t, Wire>> sorted;
    for (const Wire wire : old_.wires(node)) sorted.emplace_back(sums_[wire], wire);
    std::sort(sorted.begin(), sorted.end());
    std::vector<Wire> parts;
    for (auto first = sorted.begin(); first != sorted.end();) {
      const auto last = std::find_if(
          first, sorted.end(), [&](const auto& other) { return other.first != first->first; });
      std::vector<Wire> companions;
      for (auto it = first; it != last; ++it) companions.push_back(renewed(it->second));
      if (times_[first->second] > 1) companions = {fresh_.all_of(std::move(companions))};
      parts.insert(parts.end(), companions.begin(), companions.end());
      first = last;
    }
    return fresh_.all_of(std::move(parts));
  }

  GameCircuit& game_;
  const Circuit old_;
  std::vector<bool> reached_;        // by node
  std::vector<std::uint64_t> sums_;  // by wire
  std::vector<std::uint32_t> times_;
  Circuit fresh_;
  std::vector<Wire> new_wire_{always_true};  // by node
};

}  // namespace

void share_companions(GameCircuit& game, const base::Limits& limits) {
  CompanionSharing(game, limits).run();
}

}  // namespace zermelo::circuit
