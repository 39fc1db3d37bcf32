// Translates circuits to bitwise operations.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "circuit/game_circuit.h"
#include "lanes/lane_program.h"

namespace zermelo::lanes {

// Emits the operations of nodes on first use. Negations are not emitted, since every combination of
// two possibly negated operands is one operation.
class Lowering {
 public:
  Lowering(LaneBuilder& builder, const circuit::GameCircuit& game);

  // Sets the value of an input of the circuit. Ignored for constants.
  void bind(circuit::Wire input, Value value);
  // Emits the loops [first, last) of the game. Nodes that read their variables must be emitted
  // later.
  void emit_loops(std::size_t first, std::size_t last);
  Value value(circuit::Wire wire);

 private:
  struct Signed {
    Value value = no_value;
    bool negated = false;
  };

  // A part of the conjunction that is being built: one literal, or two branches.
  struct Branch {
    Signed value;  // no_value if there is no operation for it yet
    std::size_t low, high;
    bool is_known() const { return value.value != no_value; }
  };

  bool is_known(circuit::Wire wire) const {
    return values_[circuit::node_of(wire)].value != no_value;
  }
  std::vector<circuit::Node> missing_nodes(const std::vector<circuit::Wire>& roots) const;
  void emit_loop(const circuit::Loop& loop);
  Signed conjunction(circuit::Node node);
  std::size_t add_tree(std::span<const Signed> parts);
  Signed whole(std::size_t tree);
  Signed with(Signed gathered, std::size_t tree);
  static std::uint64_t key(Signed a, Signed b);
  Signed known(Signed a, Signed b) const;
  Signed both(Signed a, Signed b);
  Signed combine(Signed a, Signed b);
  Signed read(circuit::Wire wire) const;

  LaneBuilder& builder_;
  const circuit::GameCircuit& game_;
  std::vector<Signed> values_;  // by node
  std::vector<Branch> tree_;
  std::unordered_map<std::uint64_t, Signed> made_;  // by two operands
};

}  // namespace zermelo::lanes
