#include "analysis/subgame_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "analysis/dependency_graph.h"
#include "base/random.h"
#include "support/composed_game.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using testing::MachinePointer;
using FluentNames = std::set<std::string>;

Decomposition decomposed(const MachinePointer& machine, Grain grain) {
  return find_subgames(*machine->compiled(), {grain, {}}).value();
}

// Plays the rules of a subgame and the whole game side by side, the whole game with moves of the
// subgame only. Legal moves and fluents must be the same.
class SideBySide {
 public:
  SideBySide(const MachinePointer& whole, const Decomposition& found, std::size_t subgame)
      : whole_machine_(whole),
        local_machine_(testing::from_text(subgame_rules(whole->game(), found, subgame).value())),
        whole_(whole_machine_),
        local_(local_machine_) {
    for (const auto* moves : {&found.subgames[subgame].moves, &found.other_moves}) {
      for (const std::uint32_t m : *moves) moves_.insert(whole->move_name(m));
    }
    for (const Subgame& part : found.subgames) {
      if (&part != &found.subgames[subgame] && !part.action_independent) continue;
      for (const ground::Atom f : part.fluents) fluents_.insert(whole->game().fluent_name(f));
    }
  }

  void run(std::size_t steps, base::Random& random) {
    auto state = whole_.initial_state(), local = local_.initial_state();
    for (std::size_t step = 0; step < steps; ++step) {
      ASSERT_EQ(restricted(whole_.fluent_names(state)), restricted(local_.fluent_names(local)));
      std::vector<machine::Move> joint, local_joint;
      for (std::size_t role = 0; role < whole_.roles().size(); ++role) {
        const auto legal = legal_moves(state, role);
        const auto expected = names(local_, local_.legal_moves(local, role));
        ASSERT_EQ(names(whole_, legal), expected);
        if (legal.empty()) {
          EXPECT_TRUE(local_.terminal(local));
          return;
        }
        joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        local_joint.push_back(local_move(whole_.move_name(joint.back()), role));
      }
      if (whole_.terminal(state)) return;
      state = whole_.next_state(state, joint);
      local = local_.next_state(local, local_joint);
    }
  }

 private:
  FluentNames restricted(const std::vector<std::string>& names) const {
    FluentNames result;
    for (const std::string& name : names) {
      if (fluents_.contains(name)) result.insert(name);
    }
    return result;
  }

  std::vector<machine::Move> legal_moves(const machine::State& state, std::size_t role) {
    std::vector<machine::Move> result = whole_.legal_moves(state, role);
    std::erase_if(result, [&](machine::Move m) { return !moves_.contains(whole_.move_name(m)); });
    return result;
  }

  static std::set<std::string> names(const machine::Stepper& stepper,
                                     const std::vector<machine::Move>& moves) {
    std::set<std::string> result;
    for (const machine::Move m : moves) result.insert(stepper.move_name(m));
    return result;
  }

  machine::Move local_move(const std::string& name, std::size_t role) const {
    const auto moves = local_machine_->moves(role);
    return *std::find_if(moves.begin(), moves.end(),
                         [&](machine::Move m) { return local_machine_->move_name(m) == name; });
  }

  MachinePointer whole_machine_, local_machine_;
  machine::Stepper whole_, local_;
  std::set<std::string> moves_, fluents_;
};

// Returns the number of subgames that were compared.
std::size_t compare_subgames(const MachinePointer& machine, Grain grain, std::size_t games) {
  const Decomposition found = decomposed(machine, grain);
  base::Random random(1);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < found.subgames.size(); ++i) {
    const bool has_rules = !found.subgames[i].action_independent &&
                           subgame_rules(machine->game(), found, i).has_value();
    if (!has_rules) continue;
    SCOPED_TRACE(i);
    SideBySide side_by_side(machine, found, i);
    for (std::size_t game = 0; game < games; ++game) side_by_side.run(30, random);
    ++compared;
  }
  return compared;
}

TEST(SubgameRules, PlayLikeTheWholeGame) {
  EXPECT_EQ(compare_subgames(testing::shipped("incredible"), Grain::symbol, 50), 2u);
  EXPECT_EQ(compare_subgames(testing::shipped("two_graphs"), Grain::symbol, 10), 2u);
  EXPECT_EQ(compare_subgames(testing::shipped("nim"), Grain::ground, 20), 4u);
}

TEST(SubgameRules, OfInterleavedRandomGames) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    compared += compare_subgames(
        testing::from_text(testing::compose(testing::random_single_player_game(2 * seed),
                                            testing::random_single_player_game(2 * seed + 1),
                                            testing::Composition::interleaved)),
        Grain::symbol, 5);
  }
  EXPECT_GE(compared, 50u);
}

TEST(SubgameRules, EndWhereTheWholeGameSurelyEnds) {
  const MachinePointer machine = testing::shipped("incredible");
  const Decomposition found = decomposed(machine, Grain::symbol);
  const MachinePointer maze = testing::from_text(subgame_rules(machine->game(), found, 0).value());
  machine::Stepper stepper(maze);
  auto state = stepper.initial_state();
  for (const char* name : {"move", "move", "grab", "move", "move", "drop"}) {
    EXPECT_FALSE(stepper.terminal(state));
    for (const machine::Move m : stepper.legal_moves(state, 0)) {
      if (stepper.move_name(m) != name) continue;
      state = stepper.next_state(state, std::span(&m, 1));
      break;
    }
  }
  EXPECT_TRUE(stepper.terminal(state));
  EXPECT_EQ(stepper.goals(state, 0), std::vector<int>{100});
}

// Figure 2 of "Factoring General Games", as far as the text of the paper gives it.
TEST(DependencyGraph, OfIncredible) {
  const MachinePointer machine = testing::shipped("incredible");
  const Decomposition found = decomposed(machine, Grain::symbol);
  const DependencyGraph graph = dependency_graph(*machine->compiled(), found).value();
  std::set<std::string> edges;
  for (const DependencyGraph::Edge& edge : graph.edges) {
    EXPECT_EQ(graph.nodes[edge.from].subgame, graph.nodes[edge.to].subgame);
    edges.insert(graph.nodes[edge.from].name + " " + graph.nodes[edge.to].name);
  }
  EXPECT_EQ(edges,
            (std::set<std::string>{
                "move cell",   "grab gold",  "drop gold",     "cell move",     "cell grab",
                "gold grab",   "cell drop",  "gold drop",     "stack on",      "stack table",
                "stack clear", "unstack on", "unstack table", "unstack clear", "table stack",
                "clear stack", "on stack",   "on unstack",    "clear unstack", "table unstack"}));
}

}  // namespace
}  // namespace zermelo::analysis
