// A game compiled for stepping single states: the links along which changes are propagated.
//
// Nodes are the inputs (fluents, moves, variables of recursive components) and the conjunctions of
// the game's circuit, numbered so that inputs come first and conjunctions follow level by level.
// Each node links to the conjunctions that read it and to the bits in which it appears. Users read
// only bits: the state, the legal moves, the fluents about to change, terminal and goals. Bits are
// toggled, never computed, so it does not matter whether a wire is negated.
//
// Autonomous fluents with a short period (such as the control) are not inputs: there is a set of
// output bits for each phase, and the outputs of all phases are kept up to date together.
#pragma once

#include <cstdint>
#include <vector>

#include "circuit/game_circuit.h"
#include "ground/game.h"

namespace zermelo::machine {

using BitIndex = std::uint32_t;
using WordIndex = std::uint32_t;

// The ranges of the links of a node; each range ends where the next begins.
struct StepLinks {
  std::uint32_t readers;          // conjunctions that read the node
  std::uint32_t negated_readers;  // or its negation
  std::uint32_t leaves;           // conjunctions without readers that appear in one bit
  std::uint32_t negated_leaves;
  std::uint32_t shown;  // bits in which the node appears
  std::uint32_t loops;  // loops that read the node
  std::uint32_t end;
  std::uint32_t level;
};

// A recursive component with its own network, evaluated to its least fixpoint. Its wires refer to
// the variables of the loop, then to its conjunctions, then to the nodes.
struct StepLoop {
  std::vector<circuit::Node> variables;
  std::vector<circuit::Wire> functions;  // by variable
  std::vector<std::uint32_t> first;      // by conjunction, one more at the end
  std::vector<circuit::Wire> wires;
  std::uint32_t level = 0;

  std::size_t size() const { return variables.size() + first.size() - 1; }
};

struct StepPhase {
  struct Goal {
    std::uint32_t role;
    int value;
    BitIndex bit;
  };

  std::vector<std::uint64_t> fixed;  // the fluents that are constant in the phase and hold
  std::vector<WordIndex> legal;      // by role: bits by the rank of the move among the role's
  WordIndex changing = 0;            // bits by fluent, set if its next value differs
  BitIndex terminal = 0;
  std::vector<Goal> goals;
  WordIndex sees = 0;  // bits by percept, in the program of percepts
};

// The values of nodes and bits. In a program they are those of the state without fluents and moves.
struct StepValues {
  struct OfNode {
    std::uint32_t false_inputs = 0;
    bool value = false;
    bool waiting = false;
  };
  struct Leaf {
    std::uint32_t false_inputs = 0;
    BitIndex bit = 0;  // in which it appears
  };

  std::vector<OfNode> nodes;
  std::vector<Leaf> leaves;
  std::vector<std::uint64_t> bits;  // the state first
};

struct StepProgram {
  static constexpr circuit::Node no_node = ~circuit::Node{0};

  std::vector<StepLinks> nodes;
  std::vector<std::uint32_t> links;
  std::vector<StepLoop> loops;
  std::vector<std::uint32_t> first_of_level;  // queue positions, one more at the end
  std::vector<circuit::Node> fluents;         // by fluent; no_node if it is fixed
  std::vector<circuit::Node> does;            // by move; no_node if nothing depends on it
  std::vector<std::uint64_t> fixed;           // the fluents that are constant in every phase
  std::vector<StepPhase> phases;
  StepValues start;

  std::size_t bytes() const;
};

// The input of the compiler: a circuit per phase, in which the fixed fluents are constants, and the
// ranks of moves among the moves of their role, in the order in which they are listed.
struct StepSource {
  const ground::Game& game;
  const std::vector<std::uint32_t>& rank_of_move;
  const std::vector<circuit::FixedFluents>& fixed;
  const circuit::Circuits& circuits;
};

// Throws base::LimitReached at a limit.
StepProgram make_step_program(const StepSource& source, const base::Limits& limits);

// Computes the least fixpoint of a loop. Its variables are the first values of `scratch`, which has
// the loop's size.
void solve_loop(const StepLoop& loop, const std::vector<StepValues::OfNode>& nodes,
                std::vector<std::uint8_t>& scratch);

}  // namespace zermelo::machine
