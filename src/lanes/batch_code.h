// A game compiled for stepping many games with moves that are chosen outside (GameBatch).
//
// Unlike SlicedMachine it has no phases: the lanes of a batch are at different times of their
// games. Three programs share the work, so that a step runs each rule once:
//
//   look    state                        -> legal moves, end, goals, whose turn it is
//   choose  legal moves, random numbers  -> a legal move of every role, as a binary number
//   step    state, moves as numbers      -> next state, and which lanes have an illegal move
//
// A move is known by its rank among the moves of its role, sorted by name. A role's choice is a
// Field: the bits of that rank and one more, `forced`, which stands for the only legal move.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "circuit/compiled_game.h"
#include "ground/game.h"
#include "lanes/draw.h"
#include "lanes/lane_executor.h"

namespace zermelo::lanes {

struct BatchOptions {
  // By role, its moves in the order of their ranks.
  std::vector<std::vector<std::uint32_t>> moves;
  // By move of the game: a role that can make such a move is to move where no role has a choice.
  std::vector<bool> acting;
  LaneBackend backend = default_backend();
  base::Limits limits = {};
};

// Immutable, shared by threads.
class BatchCode {
 public:
  struct Program {
    LaneProgram operations;
    SlotMap slots;
    std::unique_ptr<LaneExecutor> code;  // refers to both
  };
  // The choice of one role: bits, least significant first, and the last one: forced.
  using Field = std::vector<Slot>;

  struct Look {
    Program program;
    std::vector<Slot> state;  // by fluent
    std::vector<Slot> legal;  // by move; no move is legal where the game is over
    std::vector<Slot> goals;  // by goal_values(); only where the game has ended by `terminal`
    std::vector<Slot> turn;   // by role: the only one that has a choice, see BatchOptions::acting
    Slot over = 0;            // terminal, or some role has no legal move
  };
  struct Choose {
    LaneProgram count_operations, pick_operations;
    SlotMap slots;  // of both
    std::unique_ptr<LaneExecutor> count, pick;
    std::vector<Slot> legal;    // by move
    std::vector<Draw> draws;    // by role
    std::vector<Field> fields;  // by role; forced is set where the role has no legal move
  };
  struct Step {
    Program program;
    std::vector<Slot> state, legal, next;
    std::vector<Field> fields;  // by role
    Slot stays = 0;             // lanes whose state does not change
    std::vector<Slot> illegal;  // by role
  };

  // Requires the moves of every role in `options`. Fails at a limit.
  static base::Result<std::shared_ptr<const BatchCode>> make(const circuit::CompiledGame& game,
                                                             const BatchOptions& options);

  const Look& look() const { return look_; }
  const Choose& choose() const { return choose_; }
  const Step& step() const { return step_; }
  const std::vector<circuit::GameCircuit::Goal>& goal_values() const { return goal_values_; }
  const std::vector<std::vector<std::uint32_t>>& moves() const { return moves_; }
  const std::vector<ground::Atom>& initial() const { return initial_; }
  std::size_t fluents() const { return look_.state.size(); }
  std::size_t roles() const { return moves_.size(); }
  // The bits of a role's field, without the last one.
  std::size_t width(std::size_t role) const { return step_.fields[role].size() - 1; }

 private:
  BatchCode() = default;

  Look look_;
  Choose choose_;
  Step step_;
  std::vector<circuit::GameCircuit::Goal> goal_values_;
  std::vector<std::vector<std::uint32_t>> moves_;
  std::vector<ground::Atom> initial_;
};

}  // namespace zermelo::lanes
