// The planner and its searches against exhaustive search, on generated and shipped games.
#include "search/planner/planner.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "reference/reference.h"
#include "search/planner/breadth_first.h"
#include "search/planner/estimator.h"
#include "search/planner/greedy_search.h"
#include "search/planner/landmark_search.h"
#include "search/planner/novelty_search.h"
#include "search/planner/rollout_search.h"
#include "support/load_game.h"
#include "support/random_game.h"
#include "translate/plan_replay.h"
#include "translate/sas/direct.h"

namespace zermelo::search::planner {
namespace {

using namespace std::chrono_literals;
using testing::MachinePointer;

constexpr std::uint64_t random_games = 60;

// The best reward of all ends that the state leads to, by the obvious search; -1 if there is none.
int best_from(const MachinePointer& machine, const State& start) {
  machine::Stepper stepper(machine);
  std::set<State> known{start};
  std::vector<State> open{start};
  int best = -1;
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    if (stepper.terminal(state)) {
      const auto goals = stepper.goals(state, 0);
      best = std::max(best, goals.empty() ? 0 : goals.back());
      continue;
    }
    for (const Move move : stepper.legal_moves(state, 0)) {
      const State next = stepper.next_state(state, std::span(&move, 1));
      if (known.insert(next).second) open.push_back(next);
    }
  }
  return best;
}

int best_reward(const MachinePointer& machine) {
  return best_from(machine, machine::Stepper(machine).initial_state());
}

// The reward of a line by the reference engine.
int replayed(const MachinePointer& machine, const Line& line) {
  const auto& rules = machine->game().rulesheet;
  auto reference = reference::Reference::make(rules).value();
  std::vector<gdl::Term> moves;
  for (const Move move : line.moves) moves.push_back(machine->game().moves[move].term);
  const auto reward = translate::replay_plan(reference, moves, rules->symbols);
  return reward ? *reward : throw std::runtime_error(reward.error().message);
}

std::unique_ptr<Planner> planned(const MachinePointer& machine) {
  auto planner = Planner::make(machine).value();
  planner->improve({}, 60s);
  return planner;
}

void expect_best(const MachinePointer& machine, int reward) {
  const auto planner = planned(machine);
  EXPECT_TRUE(planner->is_optimal());
  EXPECT_EQ(planner->upper_bound(), reward);
  ASSERT_EQ(planner->best().has_value(), reward >= 0);
  if (reward < 0) return;
  EXPECT_EQ(planner->best()->reward, reward);
  EXPECT_EQ(replayed(machine, *planner->best()), reward);
}

// What a single search works on.
struct Workshop {
  explicit Workshop(const MachinePointer& machine)
      : space(machine, machine::Stepper(machine).initial_state()) {
    const auto& game = machine->game();
    std::vector<bool> autonomous(game.fluents.size(), false);
    for (const auto fluent : machine->compiled()->autonomous().fluents()) autonomous[fluent] = true;
    if (const auto made = translate::sas::to_task(game)) task.emplace(*made, autonomous);
  }

  PlanSpace space;
  std::optional<RelaxedTask> task;  // none if no reward above 0 is possible
  PlanRecord record{100};
};

using MakeSearch = std::function<std::unique_ptr<PlanSearch>(Workshop&)>;

// Runs a search alone until it ends, or for the rollouts, which never do, for a moment.
void expect_sound(const MakeSearch& make, bool proves) {
  for (std::uint64_t seed = 0; seed < random_games; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = testing::from_text(testing::random_single_player_game(seed));
    Workshop workshop(machine);
    if (!workshop.task) continue;
    const int best = best_reward(machine);
    const auto search = make(workshop);
    const SearchEnd end = search->run(Pause({}, proves ? 60s : 1s));
    EXPECT_LE(workshop.record.reward(), best);
    if (workshop.record.best()) {
      EXPECT_EQ(replayed(machine, *workshop.record.best()), workshop.record.reward());
    }
    if (workshop.record.is_optimal()) {
      EXPECT_EQ(workshop.record.reward(), best);
    }
    if (proves && !workshop.space.drops_clock()) {
      EXPECT_TRUE(end != SearchEnd::paused && workshop.record.is_optimal());
    }
  }
}

TEST(RelaxedGraph, AddsTheCostsOfBodies) {
  RelaxedGraph graph;
  const Fact start = graph.add_fact(), left = graph.add_fact(), right = graph.add_fact(),
             goal = graph.add_fact(), never = graph.add_fact();
  graph.add_rule({{start}, {left}, 1, 0});
  graph.add_rule({{start}, {right}, 1, 1});
  graph.add_rule({{left, right}, {goal}, 1, 2});
  graph.add_rule({{never}, {goal}, 0, no_operator});
  graph.finish();
  RelaxedCosts costs(graph);
  costs.begin();
  costs.set(start, 0);
  costs.run();
  EXPECT_EQ(costs.of(goal), 3);
  EXPECT_EQ(costs.of(never), unreachable);
  const auto plan = costs.extract(goal);
  EXPECT_EQ(plan.operators.size(), 3u);
  EXPECT_EQ(plan.first.size(), 2u);
}

// A relaxed plan never misses a reward that is possible.
TEST(Estimator, NeverCallsAPossibleRewardUnreachable) {
  for (std::uint64_t seed = 0; seed < random_games; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = testing::from_text(testing::random_single_player_game(seed));
    Workshop workshop(machine);
    if (!workshop.task) continue;
    Estimator estimator(*workshop.task, workshop.record);
    machine::Stepper stepper(machine);
    base::Random random(seed);
    State state = stepper.initial_state();
    while (!stepper.terminal(state)) {
      EXPECT_GE(estimator.highest_reward(state), best_from(machine, state));
      const auto legal = stepper.legal_moves(state, 0);
      const Move move = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
      state = stepper.next_state(state, std::span(&move, 1));
    }
  }
}

TEST(PlanSearch, BreadthFirstIsSound) {
  expect_sound([](Workshop& w) { return make_breadth_first(w.space, w.record, {}).value(); }, true);
}

TEST(PlanSearch, GreedyIsSound) {
  expect_sound(
      [](Workshop& w) {
        return std::make_unique<GreedySearch>(w.space, *w.task, w.record, GreedyOptions{});
      },
      true);
}

TEST(PlanSearch, NoveltyIsSound) {
  expect_sound(
      [](Workshop& w) {
        return std::make_unique<NoveltySearch>(w.space, *w.task, w.record, NoveltyOptions{});
      },
      true);
}

TEST(PlanSearch, LandmarksAreSound) {
  expect_sound(
      [](Workshop& w) { return std::make_unique<LandmarkSearch>(w.space, *w.task, w.record, 1); },
      false);
}

TEST(PlanSearch, RolloutsAreSound) {
  const auto machine = testing::shipped("blocks_world");
  Workshop workshop(machine);
  RolloutSearch search(workshop.space, &*workshop.task, workshop.record, 1);
  EXPECT_EQ(search.run(Pause({}, 60s)), SearchEnd::optimal);
  EXPECT_EQ(replayed(machine, *workshop.record.best()), 100);
}

TEST(PlanSearch, LandmarksPlaceQueens) {
  Workshop workshop(testing::shipped("queens"));
  LandmarkSearch search(workshop.space, *workshop.task, workshop.record, 1);
  EXPECT_EQ(search.run(Pause({}, 60s)), SearchEnd::optimal);
}

TEST(Planner, FindsWhatExhaustiveSearchFinds) {
  for (std::uint64_t seed = 100; seed < 100 + random_games; ++seed) {
    SCOPED_TRACE(seed);
    const auto machine = testing::from_text(testing::random_single_player_game(seed));
    expect_best(machine, best_reward(machine));
  }
}

TEST(Planner, SolvesShippedGames) {
  for (const char* name : {"blocks_world", "buttons", "incredible", "lights_out", "maze",
                           "pancakes", "queens", "towers_of_hanoi"}) {
    SCOPED_TRACE(name);
    expect_best(testing::shipped(name), 100);
  }
}

TEST(Planner, NeedsOneRole) {
  const auto planner = Planner::make(testing::shipped("tic_tac_toe"));
  ASSERT_FALSE(planner);
  EXPECT_EQ(planner.error().kind, base::ErrorKind::not_applicable);
}

TEST(Planner, KeepsTheRestOfItsLine) {
  const auto machine = testing::shipped("towers_of_hanoi");
  const auto planner = planned(machine);
  const Line line = *planner->best();
  machine::Stepper stepper(machine);
  State state = stepper.initial_state();
  for (std::size_t made = 1; made < line.moves.size(); ++made) {
    state = stepper.next_state(state, std::span(&line.moves[made - 1], 1));
    planner->set_root(state);
    ASSERT_TRUE(planner->best());
    EXPECT_TRUE(planner->is_optimal());
    EXPECT_EQ(planner->best()->moves,
              std::vector<Move>(line.moves.begin() + static_cast<long>(made), line.moves.end()));
  }
}

TEST(Planner, PlansFromAnyState) {
  const auto machine = testing::shipped("pancakes");
  auto planner = Planner::make(machine).value();
  machine::Stepper stepper(machine);
  State state = stepper.initial_state();
  for (int step = 0; step < 5; ++step) {
    const Move first = stepper.legal_moves(state, 0).front();
    state = stepper.next_state(state, std::span(&first, 1));
    planner->set_root(state);
    planner->improve({}, 60s);
    ASSERT_TRUE(planner->is_optimal());
    EXPECT_EQ(planner->best()->reward, best_from(machine, state));
  }
}

TEST(Planner, EndsAtItsLimits) {
  const auto machine = testing::shipped("fifteen_puzzle");
  auto planner = Planner::make(machine).value();
  planner->improve(base::Limits(std::nullopt, base::resident_bytes() + (std::size_t{64} << 20)),
                   2s);
  planner->improve(base::Limits(std::nullopt, 1), 60s);
  EXPECT_FALSE(planner->is_optimal());
}

}  // namespace
}  // namespace zermelo::search::planner
