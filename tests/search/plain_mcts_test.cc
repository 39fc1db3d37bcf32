#include "search/plain_mcts.h"

#include <gtest/gtest.h>

#include "solve/explicit/explicit_solver.h"
#include "support/load_game.h"

namespace zermelo::search {
namespace {

using testing::MachinePointer;

machine::Move choice(const MachinePointer& machine, const machine::State& state,
                     const PlainMctsBudget& budget, std::uint64_t seed) {
  PlainMcts mcts(machine, {.seed = seed});
  mcts.set_root(state);
  mcts.search(budget);
  return mcts.best_move();
}

TEST(PlainMcts, RespectsItsLimits) {
  const auto machine = testing::generated("nim", {"3", "4", "5"});
  PlainMcts mcts(machine, {});
  mcts.set_root(machine::Stepper(machine).initial_state());
  mcts.search({.simulations = 100});
  EXPECT_EQ(mcts.simulations(), 100u);
  EXPECT_EQ(mcts.decided_simulations(), 100u);  // nim has no draws
  mcts.search({.expansions = 5'000});
  EXPECT_GE(mcts.expansions(), 5'000u);
  EXPECT_LT(mcts.expansions(), 5'000u + 12);  // at most one game of 12 objects more
  std::stop_source stopped;
  stopped.request_stop();
  const std::uint64_t before = mcts.simulations();
  mcts.search({}, stopped.get_token());
  EXPECT_EQ(mcts.simulations(), before);
}

TEST(PlainMcts, TheSameSeedChoosesTheSameMove) {
  const auto machine = testing::generated("connect-four", {"4", "4"});
  const machine::State start = machine::Stepper(machine).initial_state();
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EQ(choice(machine, start, {.simulations = 200}, seed),
              choice(machine, start, {.simulations = 200}, seed));
  }
}

// With many simulations the search converges to a move that the solver calls best.
TEST(PlainMcts, ConvergesToMovesThatKeepTheValue) {
  for (const auto& [family, sizes] : {std::pair{"nim", std::vector<std::string>{"1", "2", "4"}},
                                      {"tic-tac-toe", {"3", "3", "3"}},
                                      {"chomp", {"3", "3"}}}) {
    const auto machine = testing::generated(family, sizes);
    const auto solution = solve::solve_explicit(machine, {}).value();
    machine::Stepper stepper(machine);
    const auto start = stepper.initial_state();
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const machine::Move move = choice(machine, start, {.simulations = 20'000}, seed);
      std::vector<machine::Move> joint;
      for (std::size_t role = 0; role < 2; ++role)
        joint.push_back(stepper.legal_moves(start, role)[0]);
      joint[stepper.legal_moves(start, 0).size() > 1 ? 0 : 1] = move;
      EXPECT_EQ(solution.value(stepper.next_state(start, joint)), solution.value()) << family;
    }
  }
}

// Only the path of the safe lane costs nothing; every other first step loses.
TEST(PlainMcts, FindsTheSafeLane) {
  const auto machine = testing::generated("punishment", {"4", "4"});
  const machine::State start = machine::Stepper(machine).initial_state();
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    EXPECT_EQ(machine->move_name(choice(machine, start, {.expansions = 50'000}, seed)), "(step 1)");
}

}  // namespace
}  // namespace zermelo::search
