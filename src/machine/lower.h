// Circuit to bitwise operations.
#pragma once

#include <vector>

#include "machine/game_circuit.h"
#include "machine/lane_program.h"

namespace zermelo::machine {

// Emits the operations of nodes when they are first asked for. Negations are carried along, since
// every combination of two possibly negated operands is one operation.
class Lowering {
 public:
  Lowering(LaneBuilder& builder, const GameCircuit& game);

  // Gives an input of the circuit its value; constants have theirs.
  void bind(Wire input, Value value);
  // Emits the loops [first, last) of the game. What reads their variables comes afterwards.
  void emit_loops(std::size_t first, std::size_t last);
  Value value(Wire wire);

 private:
  struct Signed {
    Value value = no_value;
    bool negated = false;
  };

  bool is_known(Wire wire) const { return values_[node_of(wire)].value != no_value; }
  std::vector<Node> missing_nodes(const std::vector<Wire>& roots) const;
  void emit_loop(const Loop& loop);
  Signed conjunction(Node node);
  Signed both(Signed a, Signed b);
  Signed read(Wire wire) const;

  LaneBuilder& builder_;
  const GameCircuit& game_;
  std::vector<Signed> values_;  // by node
};

}  // namespace zermelo::machine
