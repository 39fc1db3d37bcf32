// Solves games in which several roles decide at the same time: an equilibrium of every reachable
// state, in memory.
//
//   auto solution = solve_simultaneous(machine, {.limits = limits});
//   (*solution)->equilibrium(0).value(role);     // of the initial state
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/equilibrium.h"
#include "solve/common/opponent_model.h"
#include "solve/folder/equilibrium_reader.h"
#include "solve/simultaneous/joint_graph.h"

namespace zermelo::solve {

// Different equilibria, each stored once: most states share theirs with many others.
class EquilibriumTable {
 public:
  using Number = std::uint32_t;

  Number add(Equilibrium equilibrium);
  const Equilibrium& operator[](Number number) const { return equilibria_[number]; }
  std::size_t size() const { return equilibria_.size(); }

 private:
  std::vector<Equilibrium> equilibria_;
  std::unordered_map<std::string, Number> number_of_;  // by their bytes
};

class EquilibriumSolution {
 public:
  EquilibriumSolution(std::shared_ptr<const machine::Machine> machine, OpponentModel model,
                      JointGraph graph, StateIndex simultaneous_states)
      : machine_(std::move(machine)),
        model_(model),
        graph_(std::move(graph)),
        simultaneous_states_(simultaneous_states) {}

  const std::shared_ptr<const machine::Machine>& machine() const { return machine_; }
  OpponentModel model() const { return model_; }
  const JointGraph& graph() const { return graph_; }
  const Equilibrium& equilibrium(StateIndex state) const { return table_[number_of_[state]]; }
  EquilibriumTable::Number number(StateIndex state) const { return number_of_[state]; }
  // The weakest concept of any state.
  SolutionConcept solution_concept() const { return solution_concept_; }
  // The states in which several roles decide.
  StateIndex simultaneous_states() const { return simultaneous_states_; }
  // Those in which some role randomises.
  StateIndex mixed_states() const { return mixed_states_; }
  // The initial state with its moves, as a folder would show it.
  EquilibriumPosition initial_position() const;

 private:
  friend class BackwardInduction;

  std::shared_ptr<const machine::Machine> machine_;
  OpponentModel model_;
  JointGraph graph_;
  EquilibriumTable table_;
  std::vector<EquilibriumTable::Number> number_of_;  // by state
  SolutionConcept solution_concept_ = SolutionConcept::minimax;
  StateIndex simultaneous_states_, mixed_states_ = 0;
};

struct EquilibriumOptions {
  OpponentModel model = OpponentModel::own;
  base::Limits limits = {};
};

// Returns nullopt if no two roles decide at the same time in any state: such games are for the
// other solvers. Fails with not_applicable, naming the missing property, if states can repeat, if a
// role has no legal move, and for the model `difference` with more than two roles; and with the
// limit that is reached.
base::Result<std::optional<EquilibriumSolution>> solve_simultaneous(
    std::shared_ptr<const machine::Machine> machine, const EquilibriumOptions& options);
// The same for any game without cycles, even if nobody decides at the same time. For tests.
base::Result<EquilibriumSolution> solve_as_simultaneous(
    std::shared_ptr<const machine::Machine> machine, const EquilibriumOptions& options);

}  // namespace zermelo::solve
