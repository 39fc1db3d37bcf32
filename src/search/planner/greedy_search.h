// Greedy best-first search with relaxed plans: the steady workhorse of satisficing planning.
#pragma once

#include <cstdint>
#include <vector>

#include "search/planner/estimator.h"
#include "search/planner/open_lists.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

struct GreedyOptions {
  Aim aim = Aim::highest;
  bool last_first = false;  // among equal estimates
  std::uint64_t seed = 1;
};

class GreedySearch : public PlanSearch {
 public:
  // All must outlive this.
  GreedySearch(PlanSpace& space, const RelaxedTask& task, PlanRecord& record,
               const GreedyOptions& options);

  SearchEnd run(const Pause& pause) override;

 private:
  enum ListName { by_distance, by_goals, preferred_by_distance, preferred_by_goals, list_count };
  struct Rating {
    std::uint32_t distance;
    std::uint32_t goals;
  };

  bool is_empty() const;
  NodeIndex take_next();
  void expand(NodeIndex node);
  void add(NodeIndex parent, Move move, const Rating& rating, bool is_preferred);
  void push(NodeIndex node, const Rating& rating, bool is_preferred);
  void note_progress(const Rating& rating);

  PlanSpace& space_;
  PlanRecord& record_;
  GreedyOptions options_;
  Estimator estimator_;
  machine::Cursor cursor_;
  NodeTable nodes_;
  std::vector<bool> is_expanded_;         // by node
  std::vector<std::uint32_t> distances_;  // by node: the lowest with which it was pushed
  std::vector<BucketList> lists_;         // by ListName
  std::vector<std::int64_t> turns_;       // by list; types come last
  TypeList types_;
  Rating best_;
};

}  // namespace zermelo::search::planner
