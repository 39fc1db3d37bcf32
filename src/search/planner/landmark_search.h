// Depth-first search that branches over landmarks, as a constraint solver does over variables.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "search/planner/estimator.h"
#include "search/planner/landmarks.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

class LandmarkSearch : public PlanSearch {
 public:
  // All must outlive this.
  LandmarkSearch(PlanSpace& space, const RelaxedTask& task, PlanRecord& record, std::uint64_t seed);

  SearchEnd run(const Pause& pause) override;

 private:
  struct Frame {
    NodeIndex node;
    std::vector<Move> moves;  // still to be made, the last first
  };

  void restart();
  void step();
  void enter(NodeIndex node, const State& state);
  std::vector<Move> choices(Fact target);

  PlanSpace& space_;
  PlanRecord& record_;
  const RelaxedTask& task_;
  RelaxedCosts costs_;
  LandmarkFinder landmarks_;
  machine::Cursor cursor_;
  base::Random random_;
  NodeTable nodes_;
  std::vector<Frame> stack_;
  std::size_t nodes_until_restart_;
};

}  // namespace zermelo::search::planner
