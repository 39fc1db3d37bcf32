#include "serve/sampling.h"

#include <algorithm>

namespace zermelo::serve {
namespace {

using Clock = std::chrono::steady_clock;
using search::Move;

struct Average {
  Move move;
  double sum = 0;
  double games = 0;

  double value() const { return games > 0 ? sum / games : 0; }
};

class Sampling {
 public:
  Sampling(const search::Engine& engine, const search::State& state, std::size_t role,
           base::Random& random)
      : walker_(engine.walker()),
        state_(state),
        roles_(engine.roles().size()),
        role_(role),
        random_(random) {
    const auto begin = Clock::now();
    walker_->go_to(state_);
    for (const Move move : walker_->legal(role_)) averages_.push_back({move});
    slowest_ = Clock::now() - begin;
  }

  Move choose(Clock::time_point deadline, const std::stop_token& stop) {
    deadline_ = deadline;
    stop_ = stop;
    std::size_t next = random_.below(static_cast<std::uint32_t>(averages_.size()));
    const Move any = averages_[next].move;
    while (play(averages_[next])) next = (next + 1) % averages_.size();
    const auto best = std::max_element(averages_.begin(), averages_.end(),
                                       [](auto& a, auto& b) { return a.value() < b.value(); });
    return best->games > 0 ? best->move : any;
  }

 private:
  // False where time ran out before the end of the game, which then does not count.
  bool play(Average& average) {
    walker_->go_to(state_);
    bool is_first = true;
    std::uint32_t steps = 0;
    while (!walker_->terminal() && steps++ < search::longest_playout) {
      const auto begin = Clock::now();
      if (stop_.stop_requested() || begin + 2 * slowest_ >= deadline_) return false;
      if (!choose_joint()) break;
      if (is_first) joint_[role_] = average.move;
      is_first = false;
      walker_->make(joint_);
      slowest_ = std::max(slowest_, Clock::now() - begin);
    }
    average.sum += walker_->terminal() ? walker_->goal(role_) : 0;
    average.games += 1;
    return true;
  }

  bool choose_joint() {
    joint_.clear();
    for (std::size_t role = 0; role < roles_; ++role) {
      const std::span<const Move> legal = walker_->legal(role);
      if (legal.empty()) return false;
      joint_.push_back(legal[random_.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    return true;
  }

  std::unique_ptr<search::Walker> walker_;
  const search::State& state_;
  std::size_t roles_;
  std::size_t role_;
  base::Random& random_;
  std::vector<Average> averages_;
  std::vector<Move> joint_;
  Clock::time_point deadline_;
  std::stop_token stop_;
  Clock::duration slowest_;  // of all steps so far
};

}  // namespace

Move sample_move(const search::Engine& engine, const search::State& state, std::size_t role,
                 Clock::time_point deadline, const std::stop_token& stop, base::Random& random) {
  return Sampling(engine, state, role, random).choose(deadline, stop);
}

}  // namespace zermelo::serve
