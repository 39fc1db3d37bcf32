// The states of a game that consists of subgames, up to equivalence.
//
//   Factoring factoring(machine);
//   if (const auto reduction = find_reduction(factoring)) reduction->description();
#pragma once

#include <memory>
#include <string>

#include "base/limits.h"
#include "machine/machine.h"
#include "search/decomposition/factoring.h"
#include "search/decomposition/stage_reduction.h"
#include "search/decomposition/subgame_equivalence.h"
#include "solve/explicit/state_reduction.h"

namespace zermelo::search::decomposition {

// All reductions that the subgames and stages of a game permit, one after the other.
class FactoredReduction : public solve::StateReduction {
 public:
  void reduce(machine::State& state) override;
  // What the game consists of: "2 independent subgames with ... states in ... classes".
  const std::string& description() const { return description_; }
  // About how many states the game has if so many are left of it after the reduction.
  double whole_states(double reduced) const;

 private:
  friend std::shared_ptr<FactoredReduction> find_reduction(Factoring& factoring,
                                                           const base::Limits& limits);

  std::shared_ptr<SubgameEquivalence> equivalence_;  // null: none
  std::shared_ptr<StageReduction> stages_;           // null: none
  std::string description_;
};

// Null if the game has neither subgames nor stages that make states equivalent, and at a limit.
std::shared_ptr<FactoredReduction> find_reduction(Factoring& factoring,
                                                  const base::Limits& limits = {});

}  // namespace zermelo::search::decomposition
