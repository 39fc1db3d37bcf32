// A Game as a Circuit: the first half of the ground program optimiser.
//
// Building does most of the work: constants are folded and equal parts are shared, and parts on
// which nothing observable depends are not built. The passes are in separate files:
//   exclusive_does.cc   "each role makes exactly one move" simplifies conditions over moves
//   select_by_move.cc   selections by the move that many fluents share are built once
//   factor.cc           common literals of a rule set are factored out
//   share_companions.cc literals that always occur together are computed once
//   share_pairs.cc      conjunctions that occur in several nodes are computed once
//   lasting.cc          fluents that never change are constants
//   phases.cc           fluents with a short period are constants in each phase
// Mutex groups of fluents are not used: of eleven games they made two smaller, by 4% and 6%, and
// proving them often takes longer than all passes. The choice tree uses groups of moves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/circuit.h"
#include "ground/game.h"

namespace zermelo::circuit {

// Atoms that depend on each other. They are evaluated to their least fixpoint: starting from false,
// the variables take the values of their functions until nothing changes.
struct Loop {
  std::vector<Wire> variables;  // inputs of the circuit
  std::vector<Wire> functions;
};

struct GameCircuit {
  struct Goal {
    std::uint32_t role;
    int value;
    Wire wire;
  };

  Circuit circuit;
  std::vector<Wire> fluents;  // inputs; constants for fluents with a fixed value
  std::vector<Wire> does;     // inputs; constants for moves never or always made
  std::vector<Wire> legal;    // by move
  std::vector<Wire> next;     // by fluent
  std::vector<Goal> goals;
  Wire terminal = always_false;
  std::vector<Wire> sees;       // by percept; only in the circuit of percepts
  std::vector<Loop> loops;      // a loop only reads loops before it
  std::size_t state_loops = 0;  // the number of first loops that do not depend on the moves

  // The number of gates that the outputs need, and of the literals they read.
  struct Size {
    std::size_t gates = 0;
    std::size_t wires = 0;
  };
  Size size() const;
};

using CircuitPointer = std::shared_ptr<const GameCircuit>;
// The circuits of one game, by phase.
using Circuits = std::vector<CircuitPointer>;

// Calls visit(wire) for every output: legal, next, goals, terminal, sees and the functions of
// loops.
template <class Self, class Visit>
void for_each_output(Self& game, Visit visit) {
  for (auto& wire : game.legal) visit(wire);
  for (auto& wire : game.next) visit(wire);
  for (auto& goal : game.goals) visit(goal.wire);
  visit(game.terminal);
  for (auto& wire : game.sees) visit(wire);
  for (auto& loop : game.loops) {
    for (auto& wire : loop.functions) visit(wire);
  }
}

// Fluents whose value is known, by fluent.
using FixedFluents = std::vector<std::optional<bool>>;

// The optional passes, to measure what each of them saves.
struct CircuitPasses {
  bool exclusive_does = true;
  bool factor = true;
  bool select_by_move = true;  // needs the other two
};

GameCircuit build_circuit(const ground::Game& game, const FixedFluents& fixed,
                          const CircuitPasses& passes = {});
// Fails at a limit.
base::Result<GameCircuit> build_circuit_within(const base::Limits& limits, const ground::Game& game,
                                               const FixedFluents& fixed,
                                               const CircuitPasses& passes = {});

// The circuit of percepts: `sees` is its only output, and fluents keep their values. Kept apart
// from the circuit above, so that play that does not ask for percepts does not compute them.
base::Result<GameCircuit> build_percept_circuit(const base::Limits& limits,
                                                const ground::Game& game);

// A rule's body: literals, ascending.
using Cube = std::vector<Wire>;

// The disjunction of conjunctions, with common literals factored out.
Wire factor(Circuit& circuit, std::vector<Cube> cubes);

// Simplifies the rules of an atom, using that each role makes exactly one move. The resulting cubes
// may contain new nodes for sets of moves.
class ExclusiveDoes {
 public:
  ExclusiveDoes(Circuit& circuit, const ground::Game& game, const std::vector<Wire>& does);
  std::vector<Cube> simplify(std::vector<Cube> cubes);

  bool is_move(Wire wire) const { return move_of(wire) != no_move; }
  // The role whose move a literal is.
  std::uint32_t role_of(Wire wire) const;
  // Whether the role's move is one of these.
  Wire any_of_moves(std::uint32_t role, std::vector<Wire> moves);

 private:
  static constexpr std::uint32_t no_move = ~std::uint32_t{0};

  std::uint32_t move_of(Wire wire) const;
  bool drop_implied(Cube& cube) const;

  Circuit& circuit_;
  const ground::Game& game_;
  const std::vector<Wire>& does_;
  std::vector<std::uint32_t> move_of_node_;
};

// The next values of fluents, given by their rules.
std::vector<Wire> select_by_move(Circuit& circuit, ExclusiveDoes& exclusive,
                                 std::vector<std::vector<Cube>> fluents);

// Rewrites the circuit so that literals that occur in the same nodes become one node. Throws
// base::LimitReached at a limit, after which the circuit is unusable.
void share_companions(GameCircuit& game, const base::Limits& limits = {});

// Rewrites the circuit so that conjunctions that occur several times become nodes. Starts with
// share_companions, and throws like it.
void share_pairs(GameCircuit& game, const base::Limits& limits = {});

}  // namespace zermelo::circuit
