#include "analysis/mutex_proof_by_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "analysis/exclusive_moves.h"
#include "analysis/reachable.h"
#include "base/random.h"
#include "ground/ground.h"
#include "lanes/sliced_games.h"
#include "support/compare_sliced.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using machine::Move;
using machine::State;
using testing::machine_of;
using testing::MachinePointer;
using testing::shipped;
using Groups = std::vector<std::vector<Atom>>;

bool at_most_one(const std::vector<Atom>& fluents, const State& state) {
  return std::count_if(fluents.begin(), fluents.end(),
                       [&](Atom fluent) { return state.test(fluent); }) <= 1;
}

Groups all_pairs(std::size_t fluents) {
  Groups pairs;
  for (Atom a = 0; a < fluents; ++a) {
    for (Atom b = 0; b < a; ++b) pairs.push_back({b, a});
  }
  return pairs;
}

// Claims that every pair of fluents is exclusive, which is mostly false.
TEST(RuleProof, ProvesNothingFalseOfRandomGames) {
  std::size_t proved = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = machine_of(testing::rulesheet(testing::random_game(seed)));
    const Groups groups = all_pairs(std::min<std::size_t>(machine->game().fluents.size(), 24));
    const StepRules rules(machine->game());
    ExpandedRules expanded(rules);
    const std::vector<bool> is_proved = prove_by_rules(expanded, groups);
    machine::Stepper stepper(machine);
    const auto reachable = enumerate(stepper, {.max_states = 1'000, .limits = {}});
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (!is_proved[g]) continue;
      ++proved;
      for (const State& state : reachable.states) ASSERT_TRUE(at_most_one(groups[g], state)) << g;
    }
  }
  EXPECT_GT(proved, 150u) << "where nothing is proved, nothing is tested";
}

TEST(RuleProof, UsesKnownGroupsAndNoDroppedOnes) {
  const MachinePointer machine =
      machine_of(testing::rulesheet("(role r) (init (a 1)) (init (b 1)) (init c)"
                                    "(legal r go)"
                                    "(<= (next (b 1)) (true (a 1))) (<= (next (b 2)) (true (a 2)))"
                                    "(<= (next (a 1)) (true c)) (<= (next (a 2)) (true c)) (next c)"
                                    "(<= (goal r 100) (true c)) (<= terminal (true (b 3)))"));
  const ground::Game& game = machine->game();
  std::vector<Atom> a, b;
  for (Atom f = 0; f < game.fluents.size(); ++f) {
    if (game.fluent_name(f).starts_with("(a")) a.push_back(f);
    if (game.fluent_name(f).starts_with("(b")) b.push_back(f);
  }
  const StepRules rules(game);
  ExpandedRules expanded(rules);
  EXPECT_EQ(prove_by_rules(expanded, {b, a}), (std::vector<bool>{false, false}));
  EXPECT_EQ(prove_by_rules(expanded, {a, b}, 1), (std::vector<bool>{true, true}));
}

TEST(RuleProof, FindsTheCellsOfBoards) {
  for (const auto& [name, groups] : {std::pair("breakthrough", 64u), {"tic_tac_toe", 9u}}) {
    const MachinePointer machine = shipped(name);
    EXPECT_GE(find_mutex_groups_by_rules(machine->game()).size(), groups) << name;
  }
}

// In every state at most one move of each set is legal, and the sets are deterministic.
void check_exclusive(const MachinePointer& machine) {
  const auto sets = exclusive_moves(machine->game());
  EXPECT_EQ(sets, exclusive_moves(machine->game()));
  std::vector<std::size_t> set_of(machine->game().moves.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const Move move : sets[i]) set_of[move] = i + 1;
  }
  machine::Stepper stepper(machine);
  const auto reachable = enumerate(stepper, {.max_states = 1'000, .limits = {}});
  for (const State& state : reachable.states) {
    std::vector<bool> seen(sets.size() + 1);
    for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
      for (const Move move : stepper.legal_moves(state, role)) {
        ASSERT_FALSE(set_of[move] != 0 && seen[set_of[move]]) << machine->move_name(move);
        seen[set_of[move]] = true;
      }
    }
  }
}

// Lanes that choose by these sets play what Stepper plays.
void check_sliced(const MachinePointer& machine) {
  const lanes::SlicedOptions options{.exclusive_moves = exclusive_moves(machine->game()),
                                     .observe_moves = true};
  const lanes::SlicedCode code(*lanes::SlicedMachine::make(machine->compiled(), options));
  machine::Stepper stepper(machine);
  EXPECT_EQ(testing::compare_sliced(code, stepper, 40, 4, 3), std::nullopt);
}

TEST(ExclusiveMovesByRules, HoldInShippedGames) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ZERMELO_ROOT) + "/games")) {
    if (entry.path().extension() != ".kif") continue;
    SCOPED_TRACE(entry.path().filename().string());
    const MachinePointer machine = shipped(entry.path().stem().string());
    ASSERT_NO_FATAL_FAILURE(check_exclusive(machine));
    ASSERT_NO_FATAL_FAILURE(check_sliced(machine));
  }
}

TEST(ExclusiveMovesByRules, HoldInRandomGames) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = machine_of(testing::rulesheet(testing::random_game(seed)));
    ASSERT_NO_FATAL_FAILURE(check_exclusive(machine));
    ASSERT_NO_FATAL_FAILURE(check_sliced(machine));
  }
}

}  // namespace
}  // namespace zermelo::analysis
