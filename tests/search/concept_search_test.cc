// Concept decomposition search against exhaustive search, on shipped, generated and shared games.
#include "search/decomposition/concept_search.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>

#include "base/random.h"
#include "base/reward.h"
#include "solve/explicit/explicit_solver.h"
#include "support/composed_game.h"
#include "support/load_game.h"
#include "support/processor_time.h"
#include "support/random_game.h"

namespace zermelo::search::decomposition {
namespace {

using analysis::Grain;
using testing::compose;
using testing::Composition;
using testing::MachinePointer;

// The best reward that a state leads to, -1 if there is none; nothing if there are too many states.
std::optional<int> exhaustive_reward(const MachinePointer& machine, const State& start,
                                     std::size_t max_states) {
  machine::Stepper stepper(machine);
  std::set<State> known{start};
  std::vector<State> open{start};
  int best = -1;
  while (!open.empty() && known.size() <= max_states) {
    const State state = open.back();
    open.pop_back();
    if (stepper.terminal(state)) {
      best = std::max(best, base::reward_of(stepper.goals(state, 0)));
      continue;
    }
    for (const Move move : stepper.legal_moves(state, 0)) {
      const State next = stepper.next_state(state, std::span(&move, 1));
      if (known.insert(next).second) open.push_back(next);
    }
  }
  return open.empty() ? std::optional(best) : std::nullopt;
}

State first_state(const MachinePointer& machine) {
  return machine::Stepper(machine).initial_state();
}

// A game and the search for its best line, or nothing if it cannot be searched by parts.
struct Search {
  Search(const MachinePointer& machine, Grain grain, const State& root) {
    const auto found = analysis::find_subgames(*machine->compiled(), {grain, {}});
    auto made = FactoredGame::make(machine, found.value(), root);
    if (!made) return;
    game = std::move(*made);
    search.emplace(*game);
  }

  // The reward, -1 if there is none; nothing if it is not proved in time.
  std::optional<int> reward(std::chrono::duration<double> time) {
    const base::Limits limits(time, std::nullopt);
    search->run([&] { return limits.exceeded().has_value(); });
    if (!search->is_optimal()) return std::nullopt;
    return search->best() ? search->best()->reward : -1;
  }

  std::unique_ptr<FactoredGame> game;
  std::optional<ConceptSearch> search;
};

constexpr std::chrono::seconds patience(60);
constexpr std::size_t max_exhaustive_states = 20'000;

TEST(ConceptSearch, SolvesIncredibleWithFewerStatesThanThePaper) {
  const MachinePointer machine = testing::shipped("incredible");
  const auto begin = testing::thread_time();
  Search search(machine, Grain::symbol, first_state(machine));
  ASSERT_TRUE(search.search);
  EXPECT_EQ(search.reward(patience), 100);
  EXPECT_LE(search.search->distinct_states(), 3'212u) << "Table 1 of the paper";
  EXPECT_LT(testing::thread_time() - begin, std::chrono::duration<double>(0.2));
  EXPECT_EQ(search.search->best()->moves.size(), 13u);
}

TEST(ConceptSearch, InterleavesPlansOfTwoGraphs) {
  const MachinePointer machine = testing::shipped("two_graphs");
  Search search(machine, Grain::symbol, first_state(machine));
  ASSERT_TRUE(search.search);
  EXPECT_EQ(search.reward(patience), 100);
  EXPECT_EQ(search.search->best()->moves.size(), 4u);
}

// Compares with exhaustive search from the initial state and from some others.
// Returns whether decomposition search applies.
bool expect_same_rewards(const MachinePointer& machine, Grain grain) {
  machine::Stepper stepper(machine);
  State state = first_state(machine);
  base::Random random(1);
  for (int step = 0; step < 3 && !stepper.terminal(state); ++step) {
    Search search(machine, grain, state);
    if (!search.search) return false;
    const auto expected = exhaustive_reward(machine, state, max_exhaustive_states);
    if (!expected) return false;
    EXPECT_EQ(search.reward(patience), expected) << "after " << step << " moves";
    const auto legal = stepper.legal_moves(state, 0);
    if (legal.empty()) break;
    const Move move = legal[random.below(static_cast<std::uint32_t>(legal.size()))];
    state = stepper.next_state(state, std::span(&move, 1));
  }
  return true;
}

TEST(ConceptSearch, FindsTheBestOfInterleavedRandomGames) {
  std::size_t applied = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(
        compose(testing::random_single_player_game(2 * seed),
                testing::random_single_player_game(2 * seed + 1), Composition::interleaved));
    applied += expect_same_rewards(machine, Grain::symbol);
    expect_same_rewards(machine, Grain::ground);
  }
  EXPECT_GE(applied, 10u);
}

TEST(ConceptSearch, FindsTheBestOfParallelRandomGames) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(
        compose(testing::random_single_player_game(2 * seed),
                testing::random_single_player_game(2 * seed + 1), Composition::parallel));
    expect_same_rewards(machine, Grain::symbol);
    expect_same_rewards(machine, Grain::ground);
  }
}

TEST(ConceptSearch, FindsTheBestOfRandomGames) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_single_player_game(seed));
    expect_same_rewards(machine, Grain::symbol);
    expect_same_rewards(machine, Grain::ground);
  }
}

std::string text_of_shipped(const std::string& name) {
  return std::string(base::read_source(ZERMELO_ROOT "/games/" + name + ".kif")->text());
}

TEST(ConceptSearch, FindsTheBestOfComposedShippedGames) {
  for (const Composition composition : {Composition::interleaved, Composition::parallel}) {
    const MachinePointer machine = testing::from_text(
        compose(text_of_shipped("blocks_world"), text_of_shipped("two_graphs"), composition));
    SCOPED_TRACE(composition == Composition::parallel ? "parallel" : "interleaved");
    EXPECT_TRUE(expect_same_rewards(machine, Grain::symbol));
  }
}

// The end by time and the reward at an exact number of moves: waiting may be necessary.
TEST(ConceptSearch, WaitsForTheRightTime) {
  const std::string rules =
      "(role r) (init (p 0)) (init (q 0)) (init (step 0))"
      "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)"
      "(<= (legal r (a ?y)) (true (p ?x)) (succ ?x ?y) (distinct ?x 2))"
      "(<= (legal r (b ?y)) (true (q ?x)) (succ ?x ?y) (distinct ?x 1)) (legal r wait)"
      "(<= acts_a (does r (a ?_y))) (<= acts_b (does r (b ?_y)))"
      "(<= (next (p ?y)) (does r (a ?y))) (<= (next (p ?x)) (true (p ?x)) (not acts_a))"
      "(<= (next (q ?y)) (does r (b ?y))) (<= (next (q ?x)) (true (q ?x)) (not acts_b))"
      "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
      "(<= terminal (true (step 5)))"
      // The game also ends if q is 1 at an odd time, which is worth nothing.
      "(<= terminal (true (q 1)) (true (step 3)))"
      "(<= terminal (true (q 1)) (true (step 1)))"
      "(<= (goal r 100) (true (p 2)) (true (q 1)) (true (step 5)))"
      "(<= (goal r 0) (not (true (step 5)))) (<= (goal r 10) (true (step 5)) (not (true (q 1))))";
  const MachinePointer machine = testing::from_text(rules);
  Search search(machine, Grain::symbol, first_state(machine));
  ASSERT_TRUE(search.search);
  EXPECT_TRUE(search.game->has_phases());
  EXPECT_EQ(search.reward(patience), 100);
  EXPECT_EQ(search.search->best()->moves.size(), 5u);
}

// Games that decomposition search must solve, whether or not exhaustive search can.
TEST(ConceptSearch, SolvesSharedComposites) {
  const std::filesystem::path folder = ZERMELO_ROOT "/../shared/games/games";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no collection of games";
  for (const char* name :
       {"incredible", "troublemaker01", "troublemaker02", "blocksWorldParallel"}) {
    SCOPED_TRACE(name);
    const MachinePointer machine =
        testing::machine_of(testing::rulesheet_file(folder / (std::string(name) + ".kif")));
    const bool is_ground = std::string(name) == "blocksWorldParallel";
    Search search(machine, is_ground ? Grain::ground : Grain::symbol, first_state(machine));
    ASSERT_TRUE(search.search);
    EXPECT_EQ(search.reward(patience), 100);
  }
}

// Whether the rules have one fact about a role.
bool has_one_role(const std::filesystem::path& path) {
  const auto source = base::read_source(path.string());
  const std::string text(source ? source->text() : "");
  const std::size_t first = text.find("(role ");
  return first != std::string::npos && text.find("(role ", first + 1) == std::string::npos;
}

// A machine of a game of one role; null for others, and for games that are too large.
MachinePointer small_single_player_game(const std::filesystem::path& path) {
  if (!has_one_role(path)) return nullptr;
  const auto rules = testing::rulesheet_file(path);
  const auto short_time = [] { return testing::thread_time_limit(std::chrono::seconds(2)); };
  auto game = ground::ground(rules, {short_time()});
  if (!game || game->roles.size() != 1) return nullptr;
  return machine::Machine::make(std::move(*game), short_time()).value_or(nullptr);
}

// Compares on every game of one role in a folder that both decomposition search and the explicit
// solver can finish. Returns the number of games and grains that were compared.
std::size_t compare_with_solver(const std::filesystem::path& folder) {
  constexpr std::size_t max_computed_states = 300'000;
  constexpr solve::StateIndex max_solved_states = 300'000;
  using namespace std::chrono_literals;
  constexpr std::chrono::duration<double> per_search = 1s, in_all = 40s;  // processor time
  std::size_t compared = 0;
  const auto begin = testing::thread_time();
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".kif" || testing::thread_time() - begin > in_all) continue;
    SCOPED_TRACE(entry.path().stem().string());
    const MachinePointer machine = small_single_player_game(entry.path());
    if (!machine) continue;
    std::optional<int> expected;
    for (const Grain grain : {Grain::symbol, Grain::ground}) {
      Search search(machine, grain, first_state(machine));
      if (!search.search) continue;
      const auto search_end = testing::thread_time() + per_search;
      search.search->run([&] {
        return search.search->computed_states() > max_computed_states ||
               testing::thread_time() > search_end;
      });
      if (!search.search->is_optimal()) continue;
      if (!expected) {
        const auto solution = solve::solve_explicit_up_to(max_solved_states, machine, {}).value();
        if (!solution) break;
        expected = solution->value().empty() ? -1 : solution->value()[0];
      }
      ++compared;
      EXPECT_EQ(search.search->best() ? search.search->best()->reward : -1, *expected);
    }
  }
  return compared;
}

TEST(ConceptSearch, IsNeverWorseThanTheSolverOnShippedGames) {
  EXPECT_GE(compare_with_solver(ZERMELO_ROOT "/games"), 2u);
}

TEST(ConceptSearch, IsNeverWorseThanTheSolverOnSharedGames) {
  const std::filesystem::path folder = ZERMELO_ROOT "/../shared/games/games";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no collection of games";
  EXPECT_GE(compare_with_solver(folder), 2u);  // many more, except in builds with sanitizers
}

}  // namespace
}  // namespace zermelo::search::decomposition
