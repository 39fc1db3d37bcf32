#include "search/information_set_mcts.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "search/simulator.h"
#include "solve/hidden/hidden_solver.h"
#include "support/load_game.h"

namespace zermelo::search {
namespace {

// A coin falls unseen. The player guesses it, 100 or 0, or takes 60 for sure.
const char* const coin = R"(
  (role player) (role random) (side heads) (side tails) (init (step 0)) (succ 0 1) (succ 1 2)
  (<= (legal random ?s) (true (step 0)) (side ?s))
  (<= (legal random noop) (true (step 1)))
  (<= (legal player noop) (true (step 0)))
  (<= (legal player (guess ?s)) (true (step 1)) (side ?s))
  (<= (legal player safe) (true (step 1)))
  (<= (next (fell ?s)) (true (step 0)) (does random ?s))
  (<= (next right) (does player (guess ?s)) (true (fell ?s)))
  (<= (next took) (does player safe))
  (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
  (<= (sees player moved) (true (step 0)))
  (<= terminal (true (step 2)))
  (<= (goal player 100) (true right))
  (<= (goal player 60) (true took))
  (<= (goal player 0) (not (true right)) (not (true took)))
)";

struct WorldSearch {
  explicit WorldSearch(const testing::MachinePointer& machine, bool sees_state = false)
      : search(machine, {.sees_state = sees_state}) {
    world.state = machine::Stepper(machine).initial_state();
    world.information.assign(machine->roles().size(), 0);
  }

  void run(int simulations) {
    for (int i = 0; i < simulations; ++i) search.simulate(world);
  }

  know::PossibleWorld world;
  InformationSetMcts search;
};

// The mean reward of the most visited move of a role in an information set, and its name.
std::pair<std::string, double> best(const testing::MachinePointer& machine,
                                    const InformationSetMcts& search, std::size_t role,
                                    know::InformationKey information) {
  const auto statistics = search.statistics(role, information);
  if (statistics.empty()) return {"", 0};
  const auto most =
      std::ranges::max_element(statistics, {}, &InformationSetMcts::MoveStatistics::visits);
  return {machine->move_name(most->move), most->rewards / most->visits};
}

know::InformationKey after_first_step(const testing::MachinePointer& machine,
                                      const know::PossibleWorld& world) {
  machine::Stepper stepper(machine);
  std::vector<Move> joint;
  for (std::size_t role = 0; role < machine->roles().size(); ++role)
    joint.push_back(stepper.legal_moves(world.state, role).front());
  machine::PerceptReader reader(machine);
  reader.reset(world.state);
  return know::information_after(0, joint[0], reader.read(joint), machine->game(), 0);
}

TEST(InformationSetMcts, DoesNotSeeThroughTheCoin) {
  const auto machine = testing::from_text(coin);
  WorldSearch honest(machine);
  honest.run(2000);
  const auto [move, reward] =
      best(machine, honest.search, 0, after_first_step(machine, honest.world));
  EXPECT_EQ(move, "safe");
  EXPECT_NEAR(reward, 0.6, 1e-9);
}

// The player that determinises believes that it will know the coin.
TEST(InformationSetMcts, DeterminisationSeesThroughTheCoin) {
  const auto machine = testing::from_text(coin);
  WorldSearch fused(machine, true);
  fused.run(2000);
  machine::Stepper stepper(machine);
  const machine::State next = stepper.next_state(
      fused.world.state, std::vector<Move>{stepper.legal_moves(fused.world.state, 0).front(),
                                           stepper.legal_moves(fused.world.state, 1).front()});
  const auto [move, reward] = best(machine, fused.search, 0, InformationSetMcts::key_of(next));
  EXPECT_EQ(move.substr(0, 6), "(guess");
  EXPECT_NEAR(reward, 1, 1e-9);
}

TEST(InformationSetMcts, ApproachesTheExactValueOfOnePlayer) {
  for (const char* name : {"hidden/monty_hall"}) {
    const auto machine = testing::shipped(name);
    const auto exact = solve::solve_hidden(machine, {}).value();
    WorldSearch search(machine);
    search.run(20'000);
    // The first decision comes after one step in which only `random` chooses.
    const auto [move, reward] =
        best(machine, search.search, 0, after_first_step(machine, search.world));
    EXPECT_FALSE(move.empty());
    EXPECT_NEAR(100 * reward, exact.low(0), 4) << name;
  }
}

TEST(InformationSetMcts, SharesAreProbabilities) {
  const auto machine = testing::from_text(coin);
  WorldSearch search(machine);
  const auto key = after_first_step(machine, search.world);
  EXPECT_DOUBLE_EQ(search.search.share(0, key, 0, 4), 0.25);  // never visited
  search.run(500);
  double sum = 0;
  const auto statistics = search.search.statistics(0, key);
  ASSERT_EQ(statistics.size(), 3u);
  for (const auto& move : statistics) sum += search.search.share(0, key, move.move, 3);
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(InformationSetMcts, RespectsTheNumberOfSets) {
  const auto machine = testing::shipped("hidden/leduc_poker");
  know::PossibleWorld world{machine::Stepper(machine).initial_state(), {0, 0, 0}, 1};
  InformationSetMcts search(machine, {.max_sets = 0});
  for (int i = 0; i < 100; ++i) search.simulate(world);
  EXPECT_TRUE(search.statistics(0, 0).empty());
}

}  // namespace
}  // namespace zermelo::search
