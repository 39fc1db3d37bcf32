// The one rule for terminal states without a goal value or with several, in every engine: the
// obvious evaluation of the rules, with the rule spelled out, against all that gives rewards.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "app/plan.h"
#include "app/playouts.h"
#include "app/query.h"
#include "app/requests.h"
#include "app/solve.h"
#include "app/verify.h"
#include "lanes/sliced_leaf_playouts.h"
#include "machine/perft.h"
#include "reference/reference.h"
#include "search/simulator.h"
#include "solve/turn_games.h"
#include "support/load_game.h"
#include "support/loose_goals.h"
#include "support/random_game.h"

namespace zermelo::app {
namespace {

using reference::Reference;
using solve::Algorithm;
using solve::Engine;
using solve::Rewards;

struct GoalCounts {
  std::size_t missing = 0, several = 0;
};

Rewards rewards_by_definition(Reference& game, const Reference::State& state, GoalCounts& counts) {
  Rewards rewards;
  for (std::size_t role = 0; role < game.roles().size(); ++role) {
    const std::vector<int> goals = game.goals(state, role);
    counts.missing += goals.empty();
    counts.several += goals.size() > 1;
    rewards.push_back(goals.empty() ? 0 : *std::max_element(goals.begin(), goals.end()));
  }
  return rewards;
}

// Max^n without memory, for games in which one role at a time has a choice. Nothing for a game of
// more than `visits` visits.
class ByDefinition {
 public:
  ByDefinition(const Rules& rules, std::size_t visits)
      : game_(Reference::make(rules).value()), visits_left_(visits) {}

  std::optional<Rewards> value() { return value(game_.initial_state()); }
  const GoalCounts& counts() const { return counts_; }

 private:
  std::optional<Rewards> value(const Reference::State& state) {
    if (visits_left_ == 0) return std::nullopt;
    --visits_left_;
    if (game_.terminal(state)) return rewards_by_definition(game_, state, counts_);
    const auto legal = machine::all_legal_moves(game_, state);
    std::size_t mover = 0;
    for (std::size_t r = 0; r < legal.size(); ++r) mover = legal[r].size() > 1 ? r : mover;
    std::optional<Rewards> best;
    const bool complete =
        machine::for_each_joint_move(legal, [&](std::span<const machine::Move> joint) {
          const auto next = value(game_.next_state(state, joint));
          if (next && (!best || wish(mover, *next) > wish(mover, *best))) best = next;
          return next.has_value();
        });
    return complete ? best : std::nullopt;
  }

  // The largest own reward, then the smallest of the others, then any order.
  static std::tuple<int, int, Rewards> wish(std::size_t role, const Rewards& rewards) {
    const int sum = std::accumulate(rewards.begin(), rewards.end(), 0);
    return {rewards[role], rewards[role] - sum, rewards};
  }

  Reference game_;
  std::size_t visits_left_;
  GoalCounts counts_;
};

void expect_solved(const Rules& rules, const Rewards& value, Algorithm algorithm) {
  const Folder folder;
  const auto solved = solve({.rules = rules,
                             .folder = folder.path(),
                             .engine = Engine::symbolic,
                             .algorithm = algorithm});
  ASSERT_TRUE(solved) << solve::name_of(algorithm) << ": " << solved.error().message;
  EXPECT_EQ(solved->summary.value, value) << solve::name_of(algorithm);
  const auto verified = verify({.folder = folder.path()});
  ASSERT_TRUE(verified) << verified.error().message;
  EXPECT_TRUE(verified->ok()) << verified->failures.at(0);
  const auto found = query({.folder = folder.path()});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->rewards, value);
}

TEST(GoalRule, SolversAndTheCheckerFollowIt) {
  std::size_t compared = 0, missing = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const auto rules = testing::rulesheet(
        testing::with_loose_goals(solve::with_turns(testing::random_game(seed))));
    ByDefinition definition(rules, 400);
    const auto value = definition.value();
    const auto enumerated = solve({.rules = rules, .engine = Engine::explicit_states});
    if (!value || !enumerated) continue;  // large, or several roles have a choice
    EXPECT_EQ(enumerated->summary.value, *value) << seed;
    expect_solved(rules, *value, Algorithm::layered);
    if (seed % 4 == 0) expect_solved(rules, *value, Algorithm::retrograde);
    ++compared;
    missing += definition.counts().missing > 0;
    several += definition.counts().several > 0;
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(compared, 20u);
  EXPECT_GE(missing, 10u);
  EXPECT_GE(several, 10u);
}

// The rewards in the final states of random games, by each engine that players use.
TEST(GoalRule, SimulatorsAndLanesFollowIt) {
  GoalCounts counts;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto rules = testing::rulesheet(testing::with_loose_goals(testing::random_game(seed)));
    auto reference = Reference::make(rules).value();
    const auto machine = testing::machine_of(rules);
    const auto sliced = lanes::SlicedMachine::make(machine->compiled(), {}).value();
    const lanes::SlicedCode code(sliced);
    lanes::SlicedLeafPlayouts rollouts(code, 1);
    const auto simulator = search::make_simulator(rules, {}).value();
    const auto walker = simulator->walker();
    base::Random random(seed);
    auto state = reference.initial_state();
    walker->go_to(simulator->initial());
    while (!reference.terminal(state)) {
      std::vector<machine::Move> joint, walked;
      for (std::size_t role = 0; role < reference.roles().size(); ++role) {
        const auto moves = reference.legal_moves(state, role);
        joint.push_back(moves[random.below(static_cast<std::uint32_t>(moves.size()))]);
        const std::string name = reference.move_name(joint.back());
        for (const machine::Move move : walker->legal(role)) {
          if (machine->game().move_name(move) == name) walked.push_back(move);
        }
      }
      state = reference.next_state(state, joint);
      walker->make(walked);
    }
    const Rewards expected = rewards_by_definition(reference, state, counts);
    EXPECT_EQ(rollouts.play(std::vector{walker->state()})[0].goals, expected) << seed;
    for (std::size_t role = 0; role < expected.size(); ++role) {
      EXPECT_EQ(walker->goal(role), expected[role]) << seed;
    }
  }
  EXPECT_GE(counts.missing, 10u);
  EXPECT_GE(counts.several, 10u);
}

// The mean goals of random games: exactly for the engines with the same games, and within four
// standard errors for the others.
TEST(GoalRule, PlayoutsFollowIt) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto rules = testing::rulesheet(testing::with_loose_goals(testing::random_game(seed)));
    const auto mean_goals = [&](PlayoutEngine engine, std::uint64_t count) {
      return play_randomly({.rules = rules, .count = count, .engine = engine})
          .value()
          .totals.mean_goals;
    };
    const auto expected = mean_goals(PlayoutEngine::reference, 300);
    EXPECT_EQ(mean_goals(PlayoutEngine::fast, 300), expected) << seed;
    const auto often = mean_goals(PlayoutEngine::fast, 4'000);
    const auto sliced = mean_goals(PlayoutEngine::sliced, 20'000);
    for (std::size_t role = 0; role < often.size(); ++role) {
      EXPECT_NEAR(sliced[role], often[role], 4 * 40 / std::sqrt(4'000)) << seed;
    }
  }
}

TEST(GoalRule, PlansFollowIt) {
  std::size_t compared = 0, missing = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const auto rules =
        testing::rulesheet(testing::with_loose_goals(testing::random_single_player_game(seed)));
    ByDefinition definition(rules, 300);
    const auto value = definition.value();
    if (!value) continue;
    const auto planned = plan({.rules = rules});
    ASSERT_TRUE(planned) << planned.error().message;
    EXPECT_TRUE(planned->is_optimal && planned->is_validated) << seed;
    EXPECT_EQ(planned->reward, value->at(0)) << seed;
    ++compared;
    missing += definition.counts().missing > 0;
    several += definition.counts().several > 0;
  }
  EXPECT_GE(compared, 10u);
  EXPECT_GE(missing, 5u);
  EXPECT_GE(several, 5u);
}

// Two ships that each may stop at the planet or not, as in games whose authors forgot a
// combination.
TEST(GoalRule, AGameWithAForgottenCombinationIsSolved) {
  const auto rules = testing::rulesheet(R"(
    (role pilot) (init (ship 1)) (init (ship 2)) (legal pilot wait)
    (<= (legal pilot (stop ?s)) (true (ship ?s)))
    (<= (next (stopped ?s)) (does pilot (stop ?s)))
    (<= (next (stopped ?s)) (true (stopped ?s)))
    (<= (next (ship ?s)) (true (ship ?s)) (not (does pilot (stop ?s))))
    (<= (next late) (true (ship 1)) (does pilot wait))
    (<= (next late) (true (ship 2)) (does pilot wait))
    (<= terminal (true late)) (<= terminal (true (stopped 1)) (true (stopped 2)))
    (<= (goal pilot 100) (true (stopped 1)) (true (stopped 2)))
    (<= (goal pilot 50) (true (stopped 2)))
    (<= (goal pilot 0) (true (ship 1)) (true (ship 2))))");
  for (const Engine engine : {Engine::explicit_states, Engine::symbolic}) {
    const auto solved = solve({.rules = rules, .engine = engine});
    ASSERT_TRUE(solved) << solved.error().message;
    EXPECT_EQ(solved->summary.value, Rewards{100});
    ASSERT_EQ(solved->summary.by_value.size(), 3u);
  }
}

}  // namespace
}  // namespace zermelo::app
