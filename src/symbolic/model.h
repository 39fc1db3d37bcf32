// A game as decision diagrams, for solving and counting.
//
//   auto model = build_model(machine, choose_variables(machine).ordered());
//   const PhaseModel& phase = model->phase(layer);
//   auto next = dd::image({states, phase.relation});
//
// A state is an assignment of the encoding's variables and the number of its layer. In a layer, the
// clock has one position, which determines the phase: the rules specialised to that position.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "dd/conditions.h"
#include "dd/diagram.h"
#include "dd/relation.h"
#include "machine/machine.h"
#include "symbolic/encoding.h"
#include "symbolic/grading.h"

namespace zermelo::symbolic {

using Condition = dd::Conditions::Id;

// The condition for a goal value of a role.
struct Goal {
  int value;
  Condition condition;
};

struct PhaseModel {
  // A state is terminal if one of these holds. Kept separate if their disjunction would be large.
  std::vector<Condition> terminal;
  std::vector<Condition> legal;  // by move
  // By role, the moves that are legal in some assignment.
  std::vector<std::vector<std::uint32_t>> moves;
  std::size_t joint_moves = 0;  // the number that are legal in some assignment
  // From a state to its successors by legal joint moves, whether or not it is terminal.
  dd::Relation relation;
};

class Model {
 public:
  const machine::Machine& machine() const { return *machine_; }
  const Encoding& encoding() const { return encoding_; }
  const dd::Conditions& conditions() const { return *conditions_; }

  const std::vector<PhaseModel>& phases() const { return phases_; }
  const PhaseModel& phase(std::size_t layer) const {
    return phases_[phase_of_position_[encoding_.clock().position(layer)]];
  }

  // The disjuncts of the termination of the next layer that can hold there, given that the
  // predecessors were not terminal.
  const std::vector<Condition>& terminal_after(std::size_t layer) const;
  // By role, ascending values. Valid in states of the layer whose predecessors were not terminal,
  // and in the initial state. Fails with not_applicable if a condition becomes too large, and at a
  // limit. Not thread-safe.
  base::Result<std::vector<std::vector<Goal>>> goals(std::size_t layer) const;
  // May show that no state is in two layers.
  const std::optional<Grading>& grading() const { return grading_; }

  std::vector<dd::Value> initial() const;

 private:
  friend class ModelBuilder;
  Model(std::shared_ptr<const machine::Machine> machine, Encoding encoding);

  std::shared_ptr<const machine::Machine> machine_;
  Encoding encoding_;
  std::shared_ptr<dd::Conditions> conditions_;
  std::size_t max_nodes_with_goals_ = 0;
  std::vector<PhaseModel> phases_;
  std::vector<std::size_t> phase_of_position_;          // of the clock
  std::vector<std::vector<Condition>> terminal_after_;  // by position of the clock
  std::optional<Grading> grading_;
};

struct ModelOptions {
  // Whether the model must also be valid after terminal states.
  bool past_terminal = false;
  base::Limits limits = {};
  std::size_t max_joint_moves = 1 << 16;           // in one phase
  std::size_t max_condition_nodes = 1 << 22;       // of all conditions together
  std::size_t max_nodes_with_goals = 1 << 26;      // of those and the conditions of goals
  std::size_t max_disjunct_nodes = 1 << 20;        // of one termination condition
  std::size_t max_relation_nodes = 1 << 20;        // at a level of a joint move's relation
  std::chrono::duration<double> group_seconds{5};  // for proving mutex groups
};

// Finds the clock and the mutex groups, and sorts the variables by their first fluents. At a limit,
// groups may be missing, so that there are more variables.
Encoding find_encoding(std::shared_ptr<const machine::Machine> machine,
                       const ModelOptions& options = {});

// Fails with not_applicable if the game has too many joint moves or its conditions or effects
// become too large, and with the limit that is reached.
base::Result<Model> build_model(std::shared_ptr<const machine::Machine> machine, Encoding encoding,
                                const ModelOptions& options = {});

}  // namespace zermelo::symbolic
