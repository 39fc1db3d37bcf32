// Nested rollout policy adaptation: random games that learn which moves were good.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/random.h"
#include "search/planner/estimator.h"
#include "search/planner/plan_search.h"

namespace zermelo::search::planner {

class RolloutSearch : public PlanSearch {
 public:
  // All must outlive this. `task` may be null.
  RolloutSearch(const PlanSpace& space, const RelaxedTask* task, PlanRecord& record,
                std::uint64_t seed);

  SearchEnd run(const Pause& pause) override;

 private:
  using Policy = std::vector<float>;  // weights by move
  // The reward, and with equal rewards how few goal facts are missing.
  using Score = std::pair<int, int>;
  struct Game {
    Score score{-1, 0};
    std::vector<Move> moves;
    std::vector<Move> legal;                 // in all steps, one after the other
    std::vector<std::uint32_t> first_legal;  // by step, one more at the end
  };
  struct Level {
    Policy policy;
    std::optional<Game> best;
    unsigned games = 0;
  };

  Game play(const Policy& policy);
  Move choose(const Policy& policy, std::span<const Move> legal);
  void learn(std::size_t level, Game game);
  void adapt(Policy& policy, const Game& game) const;

  const PlanSpace& space_;
  PlanRecord& record_;
  std::optional<Estimator> estimator_;
  machine::Cursor cursor_;
  base::Random random_;
  std::vector<Level> levels_;
  std::vector<float> weights_;  // scratch
};

}  // namespace zermelo::search::planner
