// The rules of a game as a network of conjunctions, the data structure of the optimiser.
//
// A node is an input or the conjunction of literals; a literal is a node or its negation, twice the
// node's number plus one if negated, so that `wire ^ 1` negates. Equal conjunctions are one node.
// Disjunctions are negated conjunctions of negations. Node 0 is the constant true.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/limited_steps.h"

namespace zermelo::circuit {

using Node = std::uint32_t;
using Wire = std::uint32_t;

inline constexpr Wire always_true = 0;
inline constexpr Wire always_false = 1;

inline Node node_of(Wire wire) { return wire >> 1; }
inline bool is_negated(Wire wire) { return wire & 1; }

class Circuit {
 public:
  // This, adding to the circuit and counting steps throw base::LimitReached at a limit.
  explicit Circuit(const base::Limits& limits = {});

  // Steps of a computation that builds the circuit, besides those of the functions below.
  void count_steps(std::size_t steps) { steps_.take(steps); }

  // A new input, as its positive literal.
  Wire add_input();
  // The conjunction or disjunction of literals in any order. Simplifies constants and duplicates.
  Wire all_of(std::vector<Wire> wires);
  Wire any_of(std::vector<Wire> wires);

  Node size() const { return static_cast<Node>(first_.size() - 1); }
  // The literals of a conjunction, ascending; none for an input and for the constant.
  std::span<const Wire> wires(Node node) const {
    return {wires_.data() + first_[node], wires_.data() + first_[node + 1]};
  }
  bool is_gate(Node node) const { return first_[node] != first_[node + 1]; }
  // The memory in use.
  std::size_t bytes() const;

 private:
  Wire find_or_add(const std::vector<Wire>& sorted);
  void grow();

  base::LimitedSteps steps_;
  std::vector<std::uint64_t> first_;  // by node, one more at the end
  std::vector<Wire> wires_;
  std::vector<Node> table_;  // open addressing over conjunctions; 0 is free
  std::size_t gates_ = 0;
};

}  // namespace zermelo::circuit
