#include "serve/sampling.h"

#include <algorithm>

#include "search/random_move.h"

namespace zermelo::serve {

Sampling::Sampling(const search::Simulator& simulator, const search::State& state, std::size_t role,
                   base::Random& random)
    : walker_(simulator.walker()),
      state_(state),
      role_(role),
      random_(random),
      joint_(simulator.roles().size()) {
  walker_->go_to(state_);
  for (const search::Move move : walker_->legal(role_)) averages_.push_back({move});
  next_ = random_.below(static_cast<std::uint32_t>(averages_.size()));
}

void Sampling::play() {
  Average& average = averages_[next_];
  walker_->go_to(state_);
  std::uint32_t steps = 0;
  while (!walker_->terminal() && steps < search::longest_playout &&
         search::choose_at_random(*walker_, random_, joint_)) {
    if (steps++ == 0) joint_[role_] = average.move;
    walker_->make(joint_);
  }
  average.sum += walker_->terminal() ? walker_->goal(role_) : 0;
  average.games += 1;
  next_ = (next_ + 1) % averages_.size();
}

search::Move Sampling::best() const {
  return std::max_element(averages_.begin(), averages_.end(),
                          [](auto& a, auto& b) { return a.value() < b.value(); })
      ->move;
}

}  // namespace zermelo::serve
