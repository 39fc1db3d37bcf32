// A single-player game as a relaxed planning task: how far each reward is from a state if nothing
// that was true becomes false.
//
//   const RelaxedTask task(sas_task, autonomous);
//   RelaxedCosts costs(task.graph());
//   task.enter(state, costs);
//   costs.run();
//   costs.of(task.levels()[0].target);
#pragma once

#include <cstdint>
#include <vector>

#include "machine/machine.h"
#include "search/planner/relaxed_graph.h"
#include "translate/sas/task.h"

namespace zermelo::search::planner {

// A reward above 0 that some rule gives.
struct RewardLevel {
  int reward = 0;
  Fact target = 0;  // holds where the game is over with the reward
};

class RelaxedTask {
 public:
  // The direct translation of a game with Aim::rewards. `autonomous` says by fluent which of them
  // run by themselves: conditions on them count as fulfilled, because waiting fulfils them.
  RelaxedTask(const translate::sas::Task& task, const std::vector<bool>& autonomous);

  // Everything: moves, derived facts and rewards. A fact that this relaxation cannot reach from a
  // state is not reachable in the game.
  const RelaxedGraph& graph() const { return graph_; }
  // Derived facts and rewards alone. With cost 1 for each fact that does not hold, the cost of a
  // reward is the number of facts that it lacks.
  const RelaxedGraph& goal_graph() const { return goal_graph_; }
  // Ascending.
  const std::vector<RewardLevel>& levels() const { return levels_; }
  // The move of an operator.
  machine::Move move_of(std::uint32_t operator_number) const { return moves_[operator_number]; }

  // Sets the facts that hold in a state to cost 0, in costs over `graph`.
  void enter(const machine::State& state, RelaxedCosts& costs) const;
  // The same in costs over `goal_graph`, and those that do not hold to cost 1.
  void enter_goals(const machine::State& state, RelaxedCosts& costs) const;
  // Calls visit(fact) for the facts that hold in a state, apart from derived ones.
  template <class Visit>
  void for_each_fact(const machine::State& state, Visit visit) const {
    std::vector<std::uint32_t> values = default_values_;
    state.for_each([&](std::size_t fluent) {
      const Place& place = places_[fluent];
      if (place.variable != no_variable) values[place.variable] = place.value;
    });
    for (std::size_t v = 0; v < values.size(); ++v) {
      for (const Fact fact : facts_of_[v][values[v]]) visit(fact);
    }
  }

 private:
  class Builder;
  static constexpr std::uint32_t no_variable = ~std::uint32_t{0};
  struct Place {
    std::uint32_t variable = no_variable;
    std::uint32_t value = 0;
  };

  RelaxedGraph graph_, goal_graph_;
  std::vector<RewardLevel> levels_;
  std::vector<machine::Move> moves_;           // by operator
  std::vector<Place> places_;                  // by fluent
  std::vector<std::uint32_t> default_values_;  // by variable: where no fluent of it holds
  std::vector<std::vector<std::vector<Fact>>> facts_of_;  // by variable and value
  std::vector<Fact> goal_facts_;                          // not derived, read by the goal graph
};

}  // namespace zermelo::search::planner
