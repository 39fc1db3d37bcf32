// Machine against Reference, on random games and on the games the project ships.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ground/ground.h"
#include "machine/machine.h"
#include "machine/perft.h"
#include "machine/playouts.h"
#include "reference/reference.h"
#include "support/compare_engines.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::machine {
namespace {

Stepper stepper(const std::shared_ptr<const gdl::Rulesheet>& rulesheet) {
  auto game = ground::ground(rulesheet);
  EXPECT_TRUE(game.has_value());
  return Stepper(std::make_shared<const Machine>(std::move(*game)));
}

reference::Reference reference(const std::shared_ptr<const gdl::Rulesheet>& rulesheet) {
  auto made = reference::Reference::make(rulesheet);
  EXPECT_TRUE(made.has_value());
  return std::move(*made);
}

TEST(Twins, AgreeOnRandomGames) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto rulesheet = testing::rulesheet(testing::random_game(seed));
    Stepper fast = stepper(rulesheet);
    reference::Reference slow = reference(rulesheet);
    const auto comparison = testing::compare_engines(fast, slow, {.games = 5, .seed = seed});
    EXPECT_FALSE(comparison.difference.has_value())
        << "seed " << seed << ": " << *comparison.difference << "\n"
        << rulesheet->source->text();
    EXPECT_EQ(comparison.games, 5u);
  }
}

TEST(Twins, AgreeOnRandomGamesWithHiddenInformation) {
  std::uint64_t percepts = 0;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const auto rulesheet = testing::rulesheet(testing::random_hidden_game(seed));
    Stepper fast = stepper(rulesheet);
    reference::Reference slow = reference(rulesheet);
    const auto comparison = testing::compare_engines(fast, slow, {.games = 5, .seed = seed});
    EXPECT_FALSE(comparison.difference.has_value())
        << "seed " << seed << ": " << *comparison.difference << "\n"
        << rulesheet->source->text();
    EXPECT_EQ(comparison.games, 5u);
    percepts += comparison.percepts;
  }
  EXPECT_GT(percepts, 10'000u);
}

// Percepts must not depend on which states and moves were asked for before.
TEST(Twins, PerceptsAreThoseOfAFreshEngine) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto rulesheet = testing::rulesheet(testing::random_hidden_game(seed));
    Stepper used = stepper(rulesheet);
    base::Random random(seed);
    for (int game = 0; game < 3; ++game) {
      State state = used.initial_state();
      while (!used.terminal(state)) {
        std::vector<Move> joint;
        for (const auto& legal : all_legal_moves(used, state))
          joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        for (std::size_t r = 0; r < used.roles().size(); ++r) {
          Stepper fresh = stepper(rulesheet);
          EXPECT_EQ(used.percepts(state, joint, r), fresh.percepts(state, joint, r));
        }
        state = used.next_state(state, joint);
      }
    }
  }
}

std::vector<std::string> shipped_games() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(ZERMELO_ROOT "/games")) {
    const auto extension = entry.path().extension();
    // Games with numbers are compared in tests/reference.
    if (entry.path().parent_path().filename() == "numbers") continue;
    if (extension == ".kif" || extension == ".gdl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(Twins, AgreeOnShippedGames) {
  const std::vector<std::string> files = shipped_games();
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files) {
    const auto rulesheet = testing::rulesheet_file(file);
    Stepper fast = stepper(rulesheet);
    reference::Reference slow = reference(rulesheet);
    const auto comparison = testing::compare_engines(fast, slow, {.games = 3, .max_depth = 150});
    EXPECT_FALSE(comparison.difference.has_value()) << file << ": " << *comparison.difference;
    const PlayoutOptions options{.count = 2, .seconds = {}, .seed = 7, .max_depth = 150};
    EXPECT_EQ(playouts(fast, options).signature, playouts(slow, options).signature) << file;
  }
}

TEST(Twins, SharedMachineGivesEveryStepperTheSameGame) {
  const auto rulesheet = testing::rulesheet(testing::random_game(3));
  Stepper first = stepper(rulesheet);
  Stepper second = first;
  const PlayoutOptions options{.count = 20, .seconds = {}};
  EXPECT_EQ(playouts(first, options).signature, playouts(second, options).signature);
}

}  // namespace
}  // namespace zermelo::machine
