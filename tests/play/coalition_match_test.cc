// Matches in which some roles play for the sum of their rewards.
#include <gtest/gtest.h>

#include "play/match.h"
#include "search/coalition_simulator.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::play {
namespace {

// Whoever defects gains, and both lose if both do.
constexpr const char* dilemma = R"(
  (role a) (role b) (role c) (init start)
  (choice keep) (choice defect)
  (<= (legal a ?m) (choice ?m)) (<= (legal b ?m) (choice ?m)) (legal c wait)
  (<= (next (did ?r ?m)) (does ?r ?m))
  (<= (pair ?x ?y) (true (did a ?x)) (true (did b ?y)))
  (<= terminal (not (true start)))
  (<= (goal a 60) (pair keep keep)) (<= (goal b 60) (pair keep keep))
  (<= (goal a 80) (pair defect keep)) (<= (goal b 0) (pair defect keep))
  (<= (goal a 0) (pair keep defect)) (<= (goal b 80) (pair keep defect))
  (<= (goal a 20) (pair defect defect)) (<= (goal b 20) (pair defect defect))
  (<= (goal c 10) (not (true start)))
)";

MatchResult played(std::optional<search::CoalitionRewards> coalition) {
  const auto simulator = search::make_simulator(testing::rulesheet(std::string(dilemma)), {});
  MatchOptions options;
  options.games = 20;
  options.coalition = std::move(coalition);
  const AgentSpec uct = parse_agent("uct:simulations=500").value();
  return run_match(*simulator, {uct, uct, uct}, options).value();
}

TEST(CoalitionMatches, MembersPlayForTheSumOfTheirRewards) {
  const MatchResult alone = played({});
  int sum_alone = 0;  // somebody defects in some games
  for (const PlayedGame& game : alone.games) sum_alone += game.goals[0] + game.goals[1];
  EXPECT_LT(sum_alone, 20 * 120);
  EXPECT_TRUE(alone.coalition.empty());
  const MatchResult together = played(search::CoalitionRewards{{true, true, false}});
  EXPECT_EQ(together.coalition, (std::vector<std::string>{"a", "b"}));
  for (const PlayedGame& game : together.games) {
    EXPECT_EQ(game.goals, (std::vector{60, 60, 10}));
    EXPECT_EQ(game.seating, (std::vector<std::size_t>{0, 1, 2}));
  }
  EXPECT_EQ(together.coalition_sum.mean, 120);
}

TEST(CoalitionMatches, OthersCanOppose) {
  const MatchResult match = played(search::CoalitionRewards{{true, false, false}, true});
  // b defects to keep the reward of a small, and a defends itself.
  for (const PlayedGame& game : match.games) EXPECT_EQ(game.goals[0], 20);
  EXPECT_EQ(match.coalition_sum.mean, 20);
}

TEST(CoalitionSimulators, HaveTheMeanRewardOfTheMembers) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const auto plain =
        search::make_simulator(testing::rulesheet(testing::random_game(seed)), {}).value();
    const std::size_t roles = plain->roles().size();
    search::CoalitionRewards rewards{std::vector<bool>(roles, true), true};
    if (roles > 1) rewards.members[seed % roles] = false;
    const auto simulator = search::make_coalition_simulator(plain, rewards);
    EXPECT_EQ(simulator->machine(), nullptr);
    const auto before = plain->walker(), after = simulator->walker();
    before->go_to(plain->initial());
    after->go_to(simulator->initial());
    for (int step = 0; step < 100 && !before->terminal(); ++step) {
      std::vector<Move> joint;
      for (std::size_t role = 0; role < roles; ++role) joint.push_back(before->legal(role).front());
      before->make(joint);
      after->make(joint);
    }
    ASSERT_EQ(after->terminal(), before->terminal());
    double sum = 0, members = 0;
    for (std::size_t role = 0; role < roles; ++role) {
      if (!rewards.members[role]) continue;
      sum += before->goal(role);
      ++members;
    }
    for (std::size_t role = 0; role < roles; ++role) {
      const double mean = sum / members;
      EXPECT_NEAR(after->goal(role), rewards.members[role] ? mean : 100 - mean, 0.5) << seed;
    }
  }
}

}  // namespace
}  // namespace zermelo::play
