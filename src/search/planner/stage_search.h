// Exhaustive search of a serial composition as one of the searches of the native planner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "analysis/serial_stages.h"
#include "search/decomposition/stage_reduction.h"
#include "search/planner/open_lists.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

// States that differ only in what no longer matters of a finished stage count as one. Proves its
// best line if it exhausts them.
class StageSearch : public PlanSearch {
 public:
  // Ends without a proof at `max_classes` classes of states. The space and the record must outlive
  // this.
  StageSearch(const PlanSpace& space, PlanRecord& record,
              const std::vector<analysis::SerialStage>& stages,
              std::size_t max_classes = std::numeric_limits<std::size_t>::max());

  SearchEnd run(const Pause& pause) override;
  // The number of classes of equivalent states met so far.
  std::size_t classes() const { return nodes_.size(); }

 private:
  // How far a node is.
  struct Stages {
    std::size_t over;
    std::uint32_t moves;  // since the last one ended, or from the root
  };

  void insert(const State& state, const NodeTable::Node& from, const Stages& stages);
  void expand(NodeIndex node);

  const PlanSpace& space_;
  PlanRecord& record_;
  const std::size_t max_classes_;
  decomposition::StageReduction reduction_;
  machine::Cursor cursor_;
  NodeTable nodes_;
  std::vector<Stages> stages_;  // by node
  BucketList open_{false};
};

}  // namespace zermelo::search::planner
