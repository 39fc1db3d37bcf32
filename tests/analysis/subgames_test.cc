#include "analysis/subgames.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "analysis/concepts.h"
#include "analysis/independence.h"
#include "analysis/step_dependencies.h"
#include "support/composed_game.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using testing::compose;
using testing::Composition;
using testing::from_text;
using testing::MachinePointer;
using testing::shipped;
using SymbolNames = std::set<std::string>;
using SubgameNames = std::set<std::pair<SymbolNames, SymbolNames>>;

Decomposition subgames_of(const MachinePointer& machine, Grain grain = Grain::symbol) {
  return find_subgames(*machine->compiled(), {grain, {}}).value();
}

std::string symbol_of(const ground::Game& game, const gdl::Term& term) {
  return game.rulesheet->symbols.name(term.name);
}

// The symbols of fluents and moves, by subgame.
SubgameNames symbols_of(const ground::Game& game, const Decomposition& found) {
  SubgameNames result;
  for (const Subgame& subgame : found.subgames) {
    SymbolNames fluents, moves;
    for (const ground::Atom f : subgame.fluents) fluents.insert(symbol_of(game, game.fluents[f]));
    for (const std::uint32_t m : subgame.moves) moves.insert(symbol_of(game, game.moves[m].term));
    result.emplace(std::move(fluents), std::move(moves));
  }
  return result;
}

void expect_independent(const MachinePointer& machine, const Decomposition& found,
                        std::size_t steps) {
  EXPECT_EQ(testing::IndependenceCheck(machine, found).run(steps).value_or(""), "");
}

TEST(Subgames, IncredibleAsInExample2) {
  const MachinePointer machine = shipped("incredible");
  const Decomposition found = subgames_of(machine);
  EXPECT_EQ(symbols_of(machine->game(), found),
            (SubgameNames{{{"cell", "gold"}, {"move", "grab", "drop"}},
                          {{"on", "clear", "table"}, {"stack", "unstack"}},
                          {{"step"}, {}}}));
  EXPECT_EQ(found.parts(), 2u);
  EXPECT_FALSE(found.is_parallel);
  EXPECT_TRUE(found.subgames.back().action_independent);
  EXPECT_FALSE(found.subgames.back().is_read);
  expect_independent(machine, found, 10'000);
}

// The concepts of a game by name; derived atoms by the fluents they depend on.
TEST(Subgames, ConceptsOfIncredibleAsInExample4) {
  const MachinePointer machine = shipped("incredible");
  const ground::Game& game = machine->game();
  const Decomposition found = subgames_of(machine);
  std::multiset<std::pair<std::uint32_t, std::string>> concepts;
  for (const LocalConcept& local : find_concepts(game, found)) {
    const std::string use =
        std::string(local.is_of_terminal ? "terminal " : "") + (local.is_of_goal ? "goal " : "");
    const bool is_fluent = local.atom < game.fluents.size();
    concepts.emplace(local.subgame, use + (is_fluent ? game.fluent_name(local.atom) : "derived"));
  }
  EXPECT_EQ(concepts, (std::multiset<std::pair<std::uint32_t, std::string>>{
                          {0, "terminal goal (gold w)"},  //
                          {1, "goal derived"},            // completed(caetower)
                          {1, "goal derived"},            // completed(bdftower)
                          {2, "terminal (step c20)"}}));
}

TEST(Subgames, TwoGraphsOfExample3) {
  const MachinePointer machine = shipped("two_graphs");
  const Decomposition found = subgames_of(machine);
  EXPECT_EQ(symbols_of(machine->game(), found),
            (SubgameNames{{{"pos1"}, {"move1"}}, {{"pos2"}, {"move2"}}}));
  expect_independent(machine, found, 10'000);
}

TEST(Subgames, HeapsAreFoundAtTheGrainOfGroundFluents) {
  const MachinePointer machine = shipped("nim");
  EXPECT_EQ(subgames_of(machine).parts(), 1u);
  const Decomposition found = subgames_of(machine, Grain::ground);
  EXPECT_EQ(found.parts(), 4u);
  EXPECT_TRUE(found.subgames.back().is_read) << "the player to move";
  expect_independent(machine, found, 10'000);
}

TEST(Subgames, BoardsOfDoubleTicTacToe) {
  const MachinePointer machine = shipped("double_tic_tac_toe");
  EXPECT_EQ(subgames_of(machine).parts(), 1u);
  const Decomposition found = subgames_of(machine, Grain::ground);
  ASSERT_EQ(found.parts(), 2u);
  EXPECT_EQ(found.subgames[0].fluents.size(), 27u);
  EXPECT_EQ(found.subgames[1].fluents.size(), 27u);
}

// One move that reads both parts makes them one.
TEST(Subgames, SharedPreconditionsConnect) {
  const std::string rules =
      "(role r) (init (p 0)) (init (q 0)) (succ 0 1) (succ 1 2)"
      "(<= (legal r (a ?y)) (true (p ?x)) (succ ?x ?y))"
      "(<= (legal r (b ?y)) (true (q ?x)) (succ ?x ?y))"
      "(<= (next (p ?y)) (does r (a ?y))) (<= (next (q ?y)) (does r (b ?y)))"
      "(<= (next (p ?x)) (true (p ?x)) (does r (b ?_y)))"
      "(<= (next (q ?x)) (true (q ?x)) (does r (a ?_y)))"
      "(<= terminal (true (p 2)) (true (q 2))) (goal r 100)";
  EXPECT_EQ(subgames_of(from_text(rules)).parts(), 2u);
  EXPECT_EQ(
      subgames_of(from_text(rules + "(<= (legal r (c 1)) (true (p 2)) (true (q 0)))")).parts(), 1u);
  EXPECT_EQ(subgames_of(from_text(rules + "(<= (next (p 0)) (true (q 2)) (true (p 1)))")).parts(),
            1u);
}

class ShippedSubgames : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedSubgames, AreIndependent) {
  const MachinePointer machine = shipped(GetParam());
  for (const Grain grain : {Grain::symbol, Grain::ground}) {
    const Decomposition found = subgames_of(machine, grain);
    if (found.is_decomposed()) expect_independent(machine, found, 2'000);
  }
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_ROOT "/games")) {
    if (entry.path().extension() == ".kif") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedSubgames, ::testing::ValuesIn(shipped_names()),
                         [](const auto& parameter) { return parameter.param; });

TEST(Subgames, RandomGamesAreNotDecomposedWrongly) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const MachinePointer machine = from_text(testing::random_game(seed));
    for (const Grain grain : {Grain::symbol, Grain::ground}) {
      const Decomposition found = subgames_of(machine, grain);
      SCOPED_TRACE(seed);
      expect_independent(machine, found, 300);
    }
  }
}

// Whether no subgame has fluents of both sides of a composition.
bool separates_sides(const ground::Game& game, const Decomposition& found) {
  for (const auto& [fluents, moves] : symbols_of(game, found)) {
    if (fluents.contains("left") && fluents.contains("right")) return false;
  }
  return found.parts() >= 2;
}

TEST(Subgames, InterleavedRandomGamesAreSeparated) {
  std::size_t separated = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = from_text(
        compose(testing::random_single_player_game(2 * seed),
                testing::random_single_player_game(2 * seed + 1), Composition::interleaved));
    const Decomposition found = subgames_of(machine);
    separated += separates_sides(machine->game(), found) && !found.is_parallel;
    expect_independent(machine, found, 500);
    expect_independent(machine, subgames_of(machine, Grain::ground), 500);
  }
  EXPECT_EQ(separated, 40u);
}

TEST(Subgames, ParallelRandomGamesAreNotDecomposedWrongly) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine =
        from_text(compose(testing::random_single_player_game(2 * seed),
                          testing::random_single_player_game(2 * seed + 1), Composition::parallel));
    const Decomposition found = subgames_of(machine);
    expect_independent(machine, found, 500);
  }
}

std::string shipped_text(const std::string& name) {
  return std::string(base::read_source(ZERMELO_ROOT "/games/" + name + ".kif")->text());
}

TEST(Subgames, ParallelShippedGamesAreSeparated) {
  const MachinePointer machine =
      from_text(compose(shipped_text("blocks_world"), shipped_text("maze"), Composition::parallel));
  const Decomposition found = subgames_of(machine);
  EXPECT_TRUE(found.is_parallel);
  EXPECT_TRUE(separates_sides(machine->game(), found));
  expect_independent(machine, found, 10'000);
}

}  // namespace
}  // namespace zermelo::analysis
