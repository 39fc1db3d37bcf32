// How far a state is from the rewards that are still wanted.
#pragma once

#include <cstdint>
#include <vector>

#include "search/planner/plan_search.h"
#include "search/planner/relaxed_task.h"

namespace zermelo::search::planner {

// Which reward a search aims at.
enum class Aim {
  highest,  // the highest that may still be reached
  nearest,  // of those better than the best line, the one that seems cheapest
};

struct Estimate {
  std::uint32_t distance = 0;   // moves of a relaxed plan, plus a penalty for a lower reward
  std::vector<Move> preferred;  // moves with which the relaxed plan can begin
  std::vector<Fact> facts;      // that the relaxed plan reaches
  bool is_dead_end = false;     // no better reward can be reached; the rest means nothing
};

class Estimator {
 public:
  // Both must outlive this.
  Estimator(const RelaxedTask& task, const PlanRecord& record);

  // By h-FF.
  Estimate relaxed_plan(const State& state, Aim aim);
  // The facts that the aimed reward lacks in the state.
  std::uint32_t missing_goals(const State& state, Aim aim);
  // The highest reward that the relaxation reaches from the state; 0 if none above 0.
  int highest_reward(const State& state);

 private:
  struct Choice {
    Fact target = 0;
    std::uint32_t penalty = 0;
    bool exists = false;
  };
  Choice choose(const RelaxedCosts& costs, Aim aim) const;
  std::vector<Fact> wanted(Aim aim) const;

  const RelaxedTask& task_;
  const PlanRecord& record_;
  RelaxedCosts costs_, goal_costs_;
};

}  // namespace zermelo::search::planner
