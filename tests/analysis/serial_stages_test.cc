// Stages against the states of the game: what is proved must hold in every one of them.
#include "analysis/serial_stages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "analysis/reachable.h"
#include "analysis/stage_check.h"
#include "support/composed_game.h"
#include "support/load_game.h"
#include "support/random_game.h"
#include "support/sum_game.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using machine::State;
using testing::MachinePointer;
using testing::StageView;

// In every reachable state in which the stage is over: a step keeps its fluents, and what the rest
// can see decides the legal moves, the end, the rewards, and what it sees after every move.
void expect_stage_holds(const MachinePointer& machine, const SerialStage& stage) {
  machine::Stepper stepper(machine);
  const auto found = enumerate(stepper, {20'000, {}});
  StageView view(machine->game(), stage);
  using Visible = std::pair<State, std::vector<bool>>;
  struct Future {
    bool is_terminal;
    std::vector<std::vector<int>> goals;
    std::vector<std::vector<machine::Move>> legal;
    std::vector<Visible> next;
    bool operator==(const Future&) const = default;
  };
  std::map<Visible, Future> futures;
  for (const State& state : found.states) {
    if (!view.is_over(state)) continue;
    Future future{stepper.terminal(state), {}, {}, {}};
    if (future.is_terminal) {
      for (std::size_t role = 0; role < machine->roles().size(); ++role) {
        future.goals.push_back(stepper.goals(state, role));
      }
    } else {
      future.legal = machine::all_legal_moves(stepper, state);
      machine::for_each_joint_move(future.legal, [&](std::span<const machine::Move> joint) {
        const State next = stepper.next_state(state, joint);
        EXPECT_TRUE(view.is_over(next));
        for (const Atom f : stage.fluents) EXPECT_EQ(next.test(f), state.test(f));
        future.next.push_back(view.visible(next));
        return !::testing::Test::HasFailure();
      });
    }
    const auto [entry, is_new] = futures.emplace(view.visible(state), future);
    EXPECT_EQ(entry->second, future);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SerialStages, HoldInRandomSerialGames) {
  std::size_t with_stages = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine =
        testing::from_text(testing::random_sum(seed, testing::SumKind::serial));
    const auto stages = find_serial_stages(machine).value();
    with_stages += !stages.empty();
    for (const SerialStage& stage : stages) expect_stage_holds(machine, stage);
  }
  EXPECT_GE(with_stages, 40u);
}

TEST(SerialStages, HoldInComposedGames) {
  std::size_t with_stages = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::compose(
        testing::random_single_player_game(2 * seed),
        testing::random_single_player_game(2 * seed + 1), testing::Composition::serial));
    const auto stages = find_serial_stages(machine).value();
    with_stages += !stages.empty();
    for (const SerialStage& stage : stages) expect_stage_holds(machine, stage);
  }
  EXPECT_GE(with_stages, 20u);
}

TEST(SerialStages, HoldInRandomGames) {
  std::size_t with_stages = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_game(seed));
    const auto stages = find_serial_stages(machine).value();
    with_stages += !stages.empty();
    for (const SerialStage& stage : stages) expect_stage_holds(machine, stage);
  }
  EXPECT_GE(with_stages, 1u);
}

TEST(SerialStages, OfOtherGamesAreNone) {
  EXPECT_TRUE(find_serial_stages(testing::shipped("nim")).value().empty());
  EXPECT_TRUE(find_serial_stages(testing::shipped("eight_puzzle")).value().empty());
}

}  // namespace
}  // namespace zermelo::analysis
