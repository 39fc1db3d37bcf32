// Best-first width search: states with something new first. Cheap per state, and good where
// relaxed plans mislead.
#pragma once

#include <cstdint>
#include <queue>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "search/planner/estimator.h"
#include "search/planner/open_lists.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

struct NoveltyOptions {
  Aim aim = Aim::highest;
  std::uint64_t seed = 1;
};

class NoveltySearch : public PlanSearch {
 public:
  // All must outlive this.
  NoveltySearch(PlanSpace& space, const RelaxedTask& task, PlanRecord& record,
                const NoveltyOptions& options);

  SearchEnd run(const Pause& pause) override;

 private:
  // What a node needs besides its place.
  struct Facts {
    std::uint32_t goals = 0;         // that are missing
    std::uint32_t relaxed_plan = 0;  // of the last ancestor at which fewer were missing than before
    bool is_expanded = false;
  };
  struct Entry {
    std::uint64_t key = 0;  // lowest first
    NodeIndex node = 0;
    bool operator<(const Entry& other) const { return key > other.key; }
  };

  NodeIndex take_next();
  void expand(NodeIndex node);
  void add(NodeIndex parent, Move move);
  void queue(NodeIndex node, const State& state);
  void estimate(NodeIndex node, const State& state, const Facts* parent);
  std::uint32_t plan_facts_in(const State& state, std::uint32_t relaxed_plan);
  bool is_novel(const State& state, std::uint32_t goals, std::uint32_t reached);

  PlanSpace& space_;
  PlanRecord& record_;
  const RelaxedTask& task_;
  NoveltyOptions options_;
  Estimator estimator_;
  machine::Cursor cursor_;
  NodeTable nodes_;
  std::vector<Facts> facts_;                      // by node
  std::vector<std::vector<Fact>> relaxed_plans_;  // facts they reach, ascending
  std::vector<std::uint32_t> mark_;               // by fact: the last plan that was compared with
  std::uint32_t marks_ = 0;
  std::unordered_map<std::uint64_t, State> seen_;  // by goals and facts of the relaxed plan
  std::priority_queue<Entry> queue_;
  TypeList types_;
  base::Random random_;
  std::uint64_t taken_ = 0;
};

}  // namespace zermelo::search::planner
