// What one step of a game reads and writes, by phase: which fluents the next value of a fluent and
// the legality of a move depend on, and which moves act on a fluent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/limited_steps.h"
#include "circuit/game_circuit.h"
#include "ground/game.h"

namespace zermelo::analysis {

// What a condition depends on. Ascending, without fluents whose value is fixed in the phase.
struct ConditionSupport {
  std::vector<ground::Atom> fluents;
  std::vector<std::uint32_t> moves;
  bool has_recursion_over_moves = false;  // some of the moves are read by recursive rules
};

// How the moves of a phase act on a fluent.
struct MoveEffect {
  std::vector<std::uint32_t> moves;  // those that act on it, ascending
  // Whether a step without these moves keeps the value of the fluent. Otherwise such a step changes
  // it, always in the same way.
  bool is_kept = true;
};

class StepDependencies {
 public:
  // The fixed fluents are those of one phase (circuit/phases.h). The game must outlive this. The
  // constructor and all functions throw base::LimitReached at a limit.
  StepDependencies(const ground::Game& game, const circuit::FixedFluents& fixed,
                   const base::Limits& limits);

  // Whether a move can be legal in this phase.
  bool is_possible(std::uint32_t move) const { return step_.does[move] != circuit::always_false; }
  // Whether a role can choose it: it is possible, and another move of the role is, too.
  bool is_choice(std::uint32_t move) const { return circuit::node_of(step_.does[move]) != 0; }
  bool is_fixed(ground::Atom fluent) const { return circuit::node_of(step_.fluents[fluent]) == 0; }
  // The roles with more than one possible move, ascending.
  const std::vector<std::uint32_t>& choosers() const { return choosers_; }
  // The next value of a fluent; the moves are those that its rules mention.
  ConditionSupport of_next(ground::Atom fluent) { return support(step_.next[fluent]); }
  // The conditions as parts of a circuit, for searches over all of them at once.
  const circuit::GameCircuit& circuit() const { return step_; }
  // The conditions whose conjunction is the legality of the move.
  std::vector<circuit::Wire> conjuncts_of_legal(std::uint32_t move) const;
  ConditionSupport support(circuit::Wire wire);
  MoveEffect effect(ground::Atom fluent);

  // The next value of a fluent as a condition that can be compared: equal for two moves of a role
  // only if these moves act on the fluent in the same way.
  circuit::Wire next_after(ground::Atom fluent, std::uint32_t move) {
    return with_move(step_.next[fluent], game_.moves[move].role, move);
  }
  // The number of steps taken so far, a measure of time that does not depend on the machine.
  std::size_t work() const { return work_; }

 private:
  // How the moves of one role act on a fluent.
  struct RoleEffect {
    std::map<circuit::Wire, std::vector<std::uint32_t>> by_result;  // what can be compared
    std::vector<std::uint32_t> acting;
    std::optional<std::uint32_t> idle;  // a move that does not act
    bool is_kept = false;               // such a move keeps the fluent
  };

  void name_nodes();
  void mark_nodes_over_moves();
  void take_steps(std::size_t steps);
  void reach(circuit::Wire wire);
  RoleEffect effect(ground::Atom fluent, const ConditionSupport& next, std::uint32_t role);
  RoleEffect results(ground::Atom fluent, const ConditionSupport& next, std::uint32_t role);
  circuit::Wire result(ground::Atom fluent, std::uint32_t move, circuit::Wire next);
  circuit::Wire with_move(circuit::Wire wire, std::uint32_t role, std::uint32_t move);
  bool keeps_if_legal(ground::Atom fluent, std::uint32_t move);
  void open_cone(circuit::Wire wire, bool has_assumptions);
  void rewrite_cone(std::uint32_t role, std::uint32_t move);
  circuit::Wire substitute(circuit::Wire wire) const;

  const ground::Game& game_;
  base::LimitedSteps steps_;
  circuit::GameCircuit step_;
  std::size_t work_ = 0;
  circuit::Node original_nodes_ = 0;
  std::vector<std::uint32_t> choosers_;
  std::vector<std::uint32_t> possible_;  // by role: the number of possible moves
  // By original node: what the input is, if it is one.
  std::vector<ground::Atom> fluent_of_;
  std::vector<std::uint32_t> move_of_, loop_of_;
  std::vector<bool> is_over_moves_;        // by original node
  std::vector<std::uint32_t> visited_in_;  // by node: the last search that reached it
  std::uint32_t search_ = 0;
  std::vector<circuit::Node> open_;
  std::vector<circuit::Wire> substituted_;  // by node, for the current substitution
};

}  // namespace zermelo::analysis
