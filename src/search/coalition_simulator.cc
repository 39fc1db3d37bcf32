#include "search/coalition_simulator.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace zermelo::search {
namespace {

// Replaces the rewards of all roles, which are between 0 and `best`.
void share_rewards(const CoalitionRewards& coalition, std::span<float> rewards, float best) {
  float sum = 0;
  for (std::size_t role = 0; role < rewards.size(); ++role) {
    if (coalition.members[role]) sum += rewards[role];
  }
  const auto members = std::count(coalition.members.begin(), coalition.members.end(), true);
  const float mean = sum / static_cast<float>(members);
  for (std::size_t role = 0; role < rewards.size(); ++role) {
    if (coalition.members[role]) {
      rewards[role] = mean;
    } else if (coalition.others_oppose) {
      rewards[role] = best - mean;
    }
  }
}

class CoalitionWalker : public Walker {
 public:
  CoalitionWalker(std::unique_ptr<Walker> walker, std::shared_ptr<const CoalitionRewards> coalition)
      : walker_(std::move(walker)), coalition_(std::move(coalition)) {}

  void go_to(const State& state) override { walker_->go_to(state); }
  State state() override { return walker_->state(); }
  bool terminal() override { return walker_->terminal(); }
  std::span<const Move> legal(std::size_t role) override { return walker_->legal(role); }
  int goal(std::size_t role) override {
    goals_.clear();
    for (std::size_t r = 0; r < coalition_->members.size(); ++r) {
      goals_.push_back(static_cast<float>(walker_->goal(r)));
    }
    share_rewards(*coalition_, goals_, 100);
    return static_cast<int>(std::lround(goals_[role]));
  }
  void make(std::span<const Move> joint) override { walker_->make(joint); }
  void unmake() override { walker_->unmake(); }

 private:
  std::unique_ptr<Walker> walker_;
  std::shared_ptr<const CoalitionRewards> coalition_;
  std::vector<float> goals_;
};

class CoalitionPlayouts : public Playouts {
 public:
  CoalitionPlayouts(std::unique_ptr<Playouts> playouts,
                    std::shared_ptr<const CoalitionRewards> coalition)
      : playouts_(std::move(playouts)), coalition_(std::move(coalition)) {}

  std::size_t lanes() const override { return playouts_->lanes(); }
  void play(std::span<const State> states, PlayoutBatch& batch,
            const std::stop_token& stop) override {
    playouts_->play(states, batch, stop);
    const std::size_t roles = coalition_->members.size();
    for (std::size_t first = 0; first + roles <= batch.rewards.size(); first += roles) {
      share_rewards(*coalition_, std::span(batch.rewards).subspan(first, roles), 1);
    }
  }

 private:
  std::unique_ptr<Playouts> playouts_;
  std::shared_ptr<const CoalitionRewards> coalition_;
};

class CoalitionSimulator : public Simulator {
 public:
  CoalitionSimulator(std::shared_ptr<const Simulator> simulator, CoalitionRewards coalition)
      : simulator_(std::move(simulator)),
        coalition_(std::make_shared<const CoalitionRewards>(std::move(coalition))) {}

  const std::vector<std::string>& roles() const override { return simulator_->roles(); }
  State initial() const override { return simulator_->initial(); }
  std::unique_ptr<Walker> walker() const override {
    return std::make_unique<CoalitionWalker>(simulator_->walker(), coalition_);
  }
  std::unique_ptr<Playouts> playouts(std::uint64_t seed) const override {
    return std::make_unique<CoalitionPlayouts>(simulator_->playouts(seed), coalition_);
  }
  std::unique_ptr<Playouts> recorded_playouts(std::uint64_t seed) const override {
    return std::make_unique<CoalitionPlayouts>(simulator_->recorded_playouts(seed), coalition_);
  }
  std::string move_name(Move move) const override { return simulator_->move_name(move); }
  std::vector<std::string> fluent_names(const State& state) const override {
    return simulator_->fluent_names(state);
  }
  bool parallel() const override { return simulator_->parallel(); }
  std::vector<int> goal_values(std::size_t role) const override {
    const bool is_own = !coalition_->members[role] && !coalition_->others_oppose;
    return is_own ? simulator_->goal_values(role) : std::vector<int>();
  }
  std::shared_ptr<const machine::Machine> machine() const override { return nullptr; }

 private:
  std::shared_ptr<const Simulator> simulator_;
  std::shared_ptr<const CoalitionRewards> coalition_;
};

}  // namespace

std::shared_ptr<const Simulator> make_coalition_simulator(
    std::shared_ptr<const Simulator> simulator, CoalitionRewards rewards) {
  assert(rewards.members.size() == simulator->roles().size());
  assert(std::find(rewards.members.begin(), rewards.members.end(), true) != rewards.members.end());
  return std::make_shared<const CoalitionSimulator>(std::move(simulator), std::move(rewards));
}

}  // namespace zermelo::search
