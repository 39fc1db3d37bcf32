// Layers of states against plain enumeration, state by state, and against known numbers.
#include "symbolic/layers.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "machine/perft.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::symbolic {
namespace {

using machine::State;
using testing::from_text;
using testing::generated;
using testing::MachinePointer;
using testing::shipped;

Model model_of(const MachinePointer& machine, const ModelOptions& options = {}) {
  return build_model(machine, find_encoding(machine, options), options).value();
}

mpz_class count(const MachinePointer& machine) {
  const Layers layers = find_layers(model_of(machine), {.keep = false}).value();
  EXPECT_TRUE(layers.complete);
  return layers.states();
}

// A layer by plain enumeration, with the states that are terminal.
struct PlainLayer {
  std::set<State> states, terminal;
};

struct Twin {
  MachinePointer machine;
  bool only_new = true;
  bool past_terminal = false;
  std::size_t max_states = 20'000;
  ModelOptions model = {};
};

// Layers until there are no more or there were enough states.
std::vector<PlainLayer> plain_layers(const Twin& twin) {
  machine::Stepper stepper(twin.machine);
  std::vector<PlainLayer> layers;
  std::set<State> known, current = {stepper.initial_state()};
  while (!current.empty() && known.size() < twin.max_states && layers.size() < 40) {
    PlainLayer& layer = layers.emplace_back();
    std::set<State> next;
    for (const State& state : current) {
      if (twin.only_new && !known.insert(state).second) continue;
      known.insert(state);
      layer.states.insert(state);
      if (stepper.terminal(state)) layer.terminal.insert(state);
      if (stepper.terminal(state) && !twin.past_terminal) continue;
      machine::for_each_joint_move(machine::all_legal_moves(stepper, state),
                                   [&](std::span<const machine::Move> joint) {
                                     next.insert(stepper.next_state(state, joint));
                                     return true;
                                   });
    }
    if (layer.states.empty()) layers.pop_back();
    current = std::move(next);
  }
  return layers;
}

std::set<State> states_of(const Model& model, const dd::Diagram& layer, std::size_t number,
                          dd::NodeId constant) {
  std::set<State> states;
  layer.enumerate(constant, [&](std::span<const dd::Value> assignment) {
    states.insert(model.encoding().state(assignment, number));
    return true;
  });
  return states;
}

void expect_same_layers(const Twin& twin) {
  const std::vector<PlainLayer> plain = plain_layers(twin);
  ModelOptions options = twin.model;
  options.past_terminal = twin.past_terminal;
  const Model model = model_of(twin.machine, options);
  const Layers layers = find_layers(model, {.only_new = twin.only_new,
                                            .continue_past_terminal = twin.past_terminal,
                                            .max_layers = plain.size()})
                            .value();
  ASSERT_FALSE(layers.stopped);
  ASSERT_EQ(layers.diagrams.size(), plain.size());
  for (std::size_t k = 0; k < plain.size(); ++k) {
    std::set<State> ended = states_of(model, layers.diagrams[k], k, terminal);
    EXPECT_EQ(ended, plain[k].terminal) << "layer " << k;
    ended.merge(states_of(model, layers.diagrams[k], k, not_terminal));
    EXPECT_EQ(ended, plain[k].states) << "layer " << k;
    EXPECT_EQ(layers.statistics[k].states, plain[k].states.size());
    EXPECT_EQ(layers.statistics[k].terminal_states, plain[k].terminal.size());
  }
}

TEST(Layers, KnownNumbers) {
  EXPECT_EQ(count(shipped("tic_tac_toe")), 5'478);
  EXPECT_EQ(count(generated("connect-four", {"4", "4"})), 161'029);
  EXPECT_EQ(count(generated("connect-four", {"4", "5"})), 1'706'255);
  EXPECT_EQ(count(generated("connect-four", {"5", "4"})), 3'945'711);
  EXPECT_EQ(count(generated("clobber", {"1", "6"})), 28);
  EXPECT_EQ(count(generated("clobber", {"3", "4"})), 13'343);
}

// Nothing counts the steps, so that layers end only when no state is new.
TEST(Layers, GamesWithoutAStepCounter) {
  EXPECT_EQ(count(generated("hanoi", {"4", "3", "unlimited"})), 81);
  EXPECT_EQ(count(generated("sliding-tiles", {"3", "2", "unlimited"})), 360);
}

TEST(Layers, ShippedGames) {
  for (const char* name :
       {"tic_tac_toe", "nim", "blocks_world", "buttons", "catch_a_mouse", "chomp", "eight_puzzle",
        "lights_out", "maze", "pancakes", "rock_paper_scissors", "towers_of_hanoi", "queens",
        "number_tic_tac_toe", "incredible", "three_player_tic_tac_toe", "peg_solitaire"}) {
    SCOPED_TRACE(name);
    expect_same_layers({shipped(name), true, false, 3'000});
  }
}

TEST(Layers, RandomGames) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_same_layers({from_text(testing::random_game(seed)), true, false, 1'000});
  }
}

TEST(Layers, RandomGamesPlayedOn) {
  for (std::uint64_t seed = 100; seed < 130; ++seed) {
    SCOPED_TRACE(seed);
    expect_same_layers({from_text(testing::random_game(seed)), seed % 2 == 0, true, 1'000});
  }
}

// As for games whose condition of the end is too large.
TEST(Layers, WithManyReasonsToEnd) {
  const ModelOptions apart = {.max_disjunct_nodes = 0};
  expect_same_layers({shipped("tic_tac_toe"), true, false, 6'000, apart});
  expect_same_layers({generated("connect-four", {"3", "3", "3"}), true, false, 3'000, apart});
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    expect_same_layers({from_text(testing::random_game(seed)), true, false, 1'000, apart});
  }
  const auto reasons = [](const ModelOptions& options) {
    return model_of(generated("connect-four", {"5", "4"}), options).phases()[0].terminal.size();
  };
  EXPECT_GT(reasons(apart), reasons({}));
}

// What b says depends on the clock alone at steps 2 and 3, but each of a and b is defined by the
// other. The light is on at first, so that a is met before b.
TEST(Layers, PhasesThatDifferInARecursiveComponent) {
  for (const char* lamps : {"(<= (next (lamp 1)) b (true (step 1))) (<= (next (lamp 2)) a)",
                            "(<= (next (lamp 1)) a) (<= (next (lamp 2)) b (true (step 1)))"}) {
    SCOPED_TRACE(lamps);
    expect_same_layers({from_text(std::string(lamps) + R"(
      (role robot) (init (step 1)) (init (light on)) (goal robot 0)
      (<= (legal robot (set ?x)) (value ?x)) (value on) (value off)
      (<= (next (light ?x)) (does robot (set ?x)))
      (<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
      (<= (next (step 4)) (true (step 3))) (<= terminal (true (step 4)))
      (<= a b) (<= a (true (light on)))
      (<= b (true (step 2))) (<= b a (true (step 1))))")});
  }
}

TEST(Layers, WithoutDuplicateDetection) {
  expect_same_layers({shipped("eight_puzzle"), false, false, 2'000});
  expect_same_layers({shipped("nim"), false, false, 10'000});
}

TEST(Layers, ALimitKeepsTheLayersBefore) {
  const Model model = model_of(generated("connect-four", {"5", "5"}));
  LayersOptions options;
  std::size_t found = 0;
  options.progress = [&](const LayerStatistics&) { ++found; };
  options.diagrams.limits.end_when([&] { return found >= 3; });
  const Layers layers = find_layers(model, options).value();
  ASSERT_TRUE(layers.stopped);
  EXPECT_EQ(layers.stopped->kind, base::ErrorKind::time_limit);
  EXPECT_FALSE(layers.complete);
  EXPECT_EQ(layers.diagrams.size(), layers.statistics.size());
  EXPECT_GT(layers.diagrams.size(), 1u);
}

TEST(Model, TooLargeIsNotApplicable) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const Encoding encoding = find_encoding(machine);
  ModelOptions few_moves, few_nodes;
  few_moves.max_joint_moves = 8;
  few_nodes.max_condition_nodes = 100;
  for (const ModelOptions& options : {few_moves, few_nodes}) {
    const auto model = build_model(machine, encoding, options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().kind, base::ErrorKind::not_applicable);
  }
}

TEST(Model, TooLargeGoalsAreNotApplicable) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const Encoding encoding = find_encoding(machine);
  const std::size_t nodes = build_model(machine, encoding)->conditions().table_size();
  ModelOptions few;
  few.max_condition_nodes = few.max_nodes_with_goals = nodes;
  const auto model = build_model(machine, encoding, few);
  ASSERT_TRUE(model);
  const auto goals = model->goals(5);
  ASSERT_FALSE(goals);
  EXPECT_EQ(goals.error().kind, base::ErrorKind::not_applicable);
  few.max_nodes_with_goals = 100 * nodes;  // the conditions of the goals may be larger
  const auto larger = build_model(machine, encoding, few);
  ASSERT_TRUE(larger);
  EXPECT_TRUE(larger->goals(5));
}

TEST(Layers, TheSameWithScratchFilesAndThreads) {
  const Model model = model_of(generated("connect-four", {"4", "5"}));
  LayersOptions options;
  options.diagrams.threads = 2;
  options.diagrams =
      dd::with_scratch(options.diagrams, 100'000, std::filesystem::temp_directory_path());
  EXPECT_EQ(find_layers(model, options).value().states(), 1'706'255);
}

}  // namespace
}  // namespace zermelo::symbolic
