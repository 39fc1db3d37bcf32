// Positions drawn from random games, and players measured by exact values.
#include "play/strength.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/load.h"

namespace zermelo::play {
namespace {

// Values by exhaustive search.
class Exact : public eval::StateValues {
 public:
  explicit Exact(const search::Simulator& simulator) : simulator_(simulator) {}

  std::optional<eval::Rewards> value(const machine::State& state) const override {
    const auto known = known_.find(state);
    if (known != known_.end()) return known->second;
    return known_.emplace(state, find(state)).first->second;
  }

 private:
  eval::Rewards find(const State& state) const {
    const auto walker = simulator_.walker();
    walker->go_to(state);
    if (walker->terminal()) return {walker->goal(0), walker->goal(1)};
    const std::size_t mover = walker->legal(1).size() > walker->legal(0).size() ? 1 : 0;
    eval::Rewards best = {-1, -1};
    for (std::size_t i = 0; i < walker->legal(mover).size(); ++i) {
      std::vector<Move> joint = {walker->legal(0)[0], walker->legal(1)[0]};
      joint[mover] = walker->legal(mover)[i];
      walker->make(joint);
      const eval::Rewards after = *value(walker->state());
      if (after[mover] > best[mover]) best = after;
      walker->go_to(state);
    }
    return best;
  }

  const search::Simulator& simulator_;
  mutable std::map<machine::State, eval::Rewards> known_;
};

class StrengthOfPlayers : public ::testing::Test {
 protected:
  double kept(const std::string& player) const {
    return measure_strength(simulator_, exact_, parse_agent(player).value(), positions_, 1)
        .value()
        .kept.mean;
  }

  std::shared_ptr<const search::Simulator> simulator_ =
      search::make_simulator(testing::rulesheet_file(ZERMELO_ROOT "/games/tic_tac_toe.kif"), {})
          .value();
  Exact exact_{*simulator_};
  std::vector<ChoicePosition> positions_ = random_positions(*simulator_, exact_, 60, 5).value();
};

TEST_F(StrengthOfPlayers, PositionsHaveAChoiceAndAreDecisiveIfAMoveLoses) {
  ASSERT_EQ(positions_.size(), 60u);
  const auto walker = simulator_->walker();
  std::size_t decisive = 0;
  for (const ChoicePosition& position : positions_) {
    walker->go_to(position.state);
    EXPECT_GT(walker->legal(position.role).size(), 1u);
    decisive += position.is_decisive;
  }
  EXPECT_GT(decisive, 10u);
  EXPECT_LT(decisive, 60u);
  const auto others = random_positions(*simulator_, exact_, 60, 6).value();
  EXPECT_FALSE(std::equal(
      positions_.begin(), positions_.end(), others.begin(), others.end(),
      [](const ChoicePosition& a, const ChoicePosition& b) { return a.state == b.state; }));
}

TEST_F(StrengthOfPlayers, SearchKeepsMoreThanChance) {
  EXPECT_GT(kept("uct:simulations=3000"), 0.95);
  EXPECT_LT(kept("random"), 0.9);
  EXPECT_GT(kept("random"), 0.3);
}

// In a position in which no move loses value, the value is always kept.
TEST_F(StrengthOfPlayers, ValueIsLostOnlyInDecisivePositions) {
  const auto random =
      measure_strength(simulator_, exact_, parse_agent("random").value(), positions_, 1);
  const auto decisive = static_cast<double>(random->decisive);
  EXPECT_NEAR((1 - random->kept.mean) * 60, (1 - random->kept_of_decisive.mean) * decisive, 1e-9);
}

class AlwaysEven : public eval::StateValues {
 public:
  std::optional<eval::Rewards> value(const machine::State&) const override {
    return eval::Rewards{50, 50};
  }
};

// After the first move, b has no legal move, so a's moves there are not a choice.
TEST(RandomPositions, EveryRoleHasAMove) {
  const auto rules = testing::rulesheet(R"(
    (role a) (role b) (init start) (legal a x) (legal a y) (<= (legal b noop) (true start))
    (<= terminal (true start) (not (true start))) (goal a 50) (goal b 50)
  )");
  const auto simulator = search::make_simulator(rules, {}).value();
  const auto positions = random_positions(*simulator, AlwaysEven(), 20, 1).value();
  for (const ChoicePosition& position : positions) EXPECT_EQ(position.state, simulator->initial());
}

}  // namespace
}  // namespace zermelo::play
