#include "app/planners/best_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gdl/printer.h"
#include "translate/plan_replay.h"

namespace zermelo::app {

using Lock = std::lock_guard<std::mutex>;

base::Result<std::unique_ptr<BestPlan>> BestPlan::make(const Rules& rules, int bound) {
  auto reference = reference::Reference::make(rules);
  if (!reference) return tl::unexpected(reference.error());
  return std::unique_ptr<BestPlan>(new BestPlan(rules, std::move(*reference), bound));
}

base::Result<int> BestPlan::offer(const std::string& planner, std::span<const gdl::Term> moves) {
  const Lock lock(mutex_);
  const auto reward = translate::replay_plan(reference_, moves, rules_->symbols);
  if (!reward) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("the plan of {} is wrong: {}", planner, reward.error().message));
  }
  if (best_ && best_->reward >= *reward) return *reward;
  best_ = ReplayedPlan{planner, *reward, {}};
  for (const gdl::Term& move : moves) best_->moves.push_back(gdl::print(move, rules_->symbols));
  return *reward;
}

bool BestPlan::ends_before(std::span<const gdl::Term> moves) {
  const Lock lock(mutex_);
  return translate::ends_before_plan(reference_, moves, rules_->symbols);
}

void BestPlan::lower_bound_to(int bound) {
  const Lock lock(mutex_);
  bound_ = std::min(bound_, bound);
}

bool BestPlan::is_optimal() const {
  const Lock lock(mutex_);
  return best_ ? best_->reward >= bound_ : bound_ <= 0;
}

int BestPlan::bound() const {
  const Lock lock(mutex_);
  return bound_;
}

std::optional<ReplayedPlan> BestPlan::best() const {
  const Lock lock(mutex_);
  return best_;
}

int BestPlan::next_reward() const {
  const Lock lock(mutex_);
  return std::max(best_ ? best_->reward + 1 : 1, 1);
}

}  // namespace zermelo::app
