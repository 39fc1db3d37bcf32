// The playout phase for engines without lanes: one random game after another. Every move is
// recorded, as statistics over the moves of playouts (MAST, RAVE) require.
#include "search/random_move.h"

namespace zermelo::search {
namespace {

class SinglePlayouts : public Playouts {
 public:
  SinglePlayouts(const Simulator& simulator, std::uint64_t seed, const MovePreference* preference)
      : walker_(simulator.walker()),
        random_(seed),
        preference_(preference),
        joint_(simulator.roles().size()) {}

  std::size_t lanes() const override { return 1; }

  void play(std::span<const State> states, PlayoutBatch& batch,
            const std::stop_token& stop) override {
    batch.rewards.assign(states.size() * joint_.size(), 0);
    batch.lines.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      play(states[i], batch.lines[i], std::span(batch.rewards).subspan(i * joint_.size()), stop);
    }
  }

 private:
  void play(const State& state, std::vector<Move>& line, std::span<float> rewards,
            const std::stop_token& stop) {
    line.clear();
    walker_->go_to(state);
    while (!walker_->terminal()) {
      if (stop.stop_requested()) return;
      if (line.size() >= joint_.size() * longest_playout || !choose()) return;
      line.insert(line.end(), joint_.begin(), joint_.end());
      walker_->make(joint_);
    }
    for (std::size_t role = 0; role < joint_.size(); ++role) {
      rewards[role] = static_cast<float>(walker_->goal(role)) / 100;
    }
  }

  // Returns false if a role has no legal move.
  bool choose() {
    if (!preference_) return choose_at_random(*walker_, random_, joint_);
    for (std::size_t role = 0; role < joint_.size(); ++role) {
      const std::span<const Move> moves = walker_->legal(role);
      if (moves.empty()) return false;
      joint_[role] = moves[preference_->choose(role, moves, random_)];
    }
    return true;
  }

  std::unique_ptr<Walker> walker_;
  base::Random random_;
  const MovePreference* preference_;
  std::vector<Move> joint_;
};

}  // namespace

std::unique_ptr<Playouts> single_playouts(const Simulator& simulator, std::uint64_t seed,
                                          const MovePreference* preference) {
  return std::make_unique<SinglePlayouts>(simulator, seed, preference);
}

}  // namespace zermelo::search
