// The best plan of all planners of a request, each replayed in the game before it counts.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/rules.h"
#include "base/result.h"
#include "gdl/rulesheet.h"
#include "reference/reference.h"

namespace zermelo::app {

struct ReplayedPlan {
  std::string planner;
  int reward = 0;
  std::vector<std::string> moves;  // as the rules write them
};

// May be used by several threads at the same time.
class BestPlan {
 public:
  // `bound`: no plan has a higher reward. Fails if the rules cannot be played.
  static base::Result<std::unique_ptr<BestPlan>> make(const Rules& rules, int bound);

  // Replays the moves in the reference engine, keeps them if they are the best so far, and returns
  // their reward. Fails with not_applicable if they do not replay; the message names the planner.
  base::Result<int> offer(const std::string& planner, std::span<const gdl::Term> moves);
  // Whether the game ends before the last of the moves, all of which are legal up to there.
  bool ends_before(std::span<const gdl::Term> moves);
  // It is proved that no plan has a higher reward.
  void lower_bound_to(int bound);

  // Whether no plan is better than the best one. If there is none, this says that no plan has a
  // reward above 0.
  bool is_optimal() const;
  int bound() const;
  std::optional<ReplayedPlan> best() const;
  // The reward from which on a plan would be an improvement; at least 1.
  int next_reward() const;

 private:
  BestPlan(Rules rules, reference::Reference reference, int bound)
      : rules_(std::move(rules)), reference_(std::move(reference)), bound_(bound) {}

  mutable std::mutex mutex_;
  Rules rules_;
  reference::Reference reference_;
  int bound_;
  std::optional<ReplayedPlan> best_;
};

}  // namespace zermelo::app
