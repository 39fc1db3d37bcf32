// Solving on several ranks: the folder has the bytes that one process writes.
#include "cluster/solve.h"

#include <map>
#include <mutex>

#include "cluster/local_transport.h"
#include "solve/graph_games.h"
#include "solve/stored_game.h"
#include "solve/turn_games.h"
#include "support/random_game.h"

namespace zermelo::cluster {
namespace {

using solve::OpponentModel;
using solve::TemporaryFolder;
using testing::MachinePointer;

struct Outcome {
  std::string error;                         // empty if the game was solved
  std::map<std::string, std::string> files;  // by name
};

Outcome solve_alone(const MachinePointer& machine, OpponentModel model) {
  const auto solution = solve::solve_explicit(machine, {.model = model, .limits = {}});
  if (!solution) return {solution.error().message, {}};
  const TemporaryFolder folder;
  solve::store_in(folder, *solution);
  return {"", folder.files()};
}

Outcome solve_on(std::size_t ranks, const MachinePointer& machine, OpponentModel model) {
  const TemporaryFolder folder;
  const solve::SolutionFolder claimed = folder.folder();
  EXPECT_TRUE(claimed.claim(*machine->game().rulesheet));
  std::mutex mutex;
  std::vector<std::string> errors(ranks);
  run_local_ranks(ranks, [&](Transport& transport) {
    Channel channel(transport);
    const auto solved = solve(channel, machine, transport.rank() == 0 ? &claimed : nullptr,
                              {.model = model, .distances = true});
    const std::lock_guard lock(mutex);
    EXPECT_EQ(solved.value_or(std::vector<RankReport>(transport.rank() == 0 ? ranks : 0)).size(),
              transport.rank() == 0 ? ranks : 0);
    if (!solved) errors[transport.rank()] = solved.error().message;
  });
  for (const std::string& error : errors) EXPECT_EQ(error, errors[0]);
  return {errors[0], folder.files()};
}

// Returns whether the game was solved.
bool expect_same(const MachinePointer& machine, const std::string& name) {
  for (const OpponentModel model : {OpponentModel::own, OpponentModel::difference}) {
    const Outcome alone = solve_alone(machine, model);
    for (const std::size_t ranks : {1u, 2u, 3u}) {
      const Outcome together = solve_on(ranks, machine, model);
      EXPECT_EQ(together.error.empty(), alone.error.empty())
          << name << ": " << together.error << " / " << alone.error;
      if (alone.error.empty()) {
        EXPECT_EQ(together.files, alone.files) << name << " on " << ranks;
      }
    }
    if (!alone.error.empty()) return false;
  }
  return true;
}

TEST(RankedSolver, WritesTheFolderOfOneProcess) {
  expect_same(testing::shipped("tic_tac_toe"), "tic-tac-toe");
  expect_same(testing::shipped("maze"), "maze");
  expect_same(testing::shipped("three_player_nim"), "nim for three");
  expect_same(testing::generated("connect-four", {"4", "3"}), "connect four");
  expect_same(testing::generated("hanoi", {"4", "3", "unlimited"}), "hanoi without a step limit");
}

TEST(RankedSolver, SolvesRandomGamesLikeOneProcess) {
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const std::string rules = solve::with_turns(testing::random_game(seed));
    solved += expect_same(testing::from_text(rules), "game " + std::to_string(seed));
  }
  EXPECT_GE(solved, 5);
}

TEST(RankedSolver, SolvesGamesInWhichStatesRepeat) {
  int solved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const auto graph = solve::random_graph(seed, 1 + seed % 2);
    solved +=
        expect_same(testing::from_text(solve::rules_of(graph)), "graph " + std::to_string(seed));
  }
  EXPECT_EQ(solved, 60);
}

TEST(RankedSolver, RefusesGamesInWhichRolesDecideAtOnce) {
  const Outcome outcome = solve_on(2, testing::shipped("rock_paper_scissors"), OpponentModel::own);
  EXPECT_NE(outcome.error.find("decide at the same time"), std::string::npos);
}

}  // namespace
}  // namespace zermelo::cluster
