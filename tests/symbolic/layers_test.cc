// Layers of states against plain enumeration, state by state, and against known numbers.
#include "symbolic/layers.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "machine/perft.h"
#include "support/load_game.h"
#include "support/random_game.h"
#include "symbolic/layer_folder.h"

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
  std::size_t most_states = 20'000;
};

// Layers until there are no more or there were enough states.
std::vector<PlainLayer> plain_layers(const Twin& twin) {
  machine::Stepper stepper(twin.machine);
  std::vector<PlainLayer> layers;
  std::set<State> known, current = {stepper.initial_state()};
  while (!current.empty() && known.size() < twin.most_states && layers.size() < 40) {
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
  const Model model = model_of(twin.machine, {.past_terminal = twin.past_terminal});
  const Layers layers = find_layers(model, {.only_new = twin.only_new,
                                            .continue_past_terminal = twin.past_terminal,
                                            .most_layers = plain.size()})
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

class LayersInFolder : public ::testing::Test {
 protected:
  LayersInFolder() { std::filesystem::remove_all(folder_); }
  ~LayersInFolder() override { std::filesystem::remove_all(folder_); }

  LayersOptions options(std::size_t most_layers) const {
    return {.most_layers = most_layers, .folder = folder_};
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("zermelo_layers_" + std::to_string(getpid()));
};

// One game whose layers are known to be disjoint and one whose are not.
TEST_F(LayersInFolder, GoOnWhereTheyStopped) {
  for (const char* name : {"tic_tac_toe", "buttons", "nim"}) {
    SCOPED_TRACE(name);
    std::filesystem::remove_all(folder_);
    const Model model = model_of(shipped(name));
    const Layers whole = find_layers(model).value();
    ASSERT_TRUE(whole.complete);
    Layers stored;
    for (std::size_t most = 1; most <= whole.diagrams.size() + 1; ++most) {
      stored = find_layers(model, options(most)).value();
      EXPECT_EQ(stored.statistics.size(), std::min(most, whole.diagrams.size()));
    }
    EXPECT_TRUE(stored.complete);
    EXPECT_EQ(stored.states(), whole.states());
    EXPECT_EQ(stored.terminal_states(), whole.terminal_states());
    EXPECT_EQ(find_layers(model, options(100)).value().states(), whole.states());
  }
}

TEST_F(LayersInFolder, AnUnlistedLayerIsMadeAgain) {
  const Model model = model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  std::ofstream(folder_ / "layer-0004.zdd") << "half a file";
  std::ofstream(folder_ / "layer-0005.zdd.part123") << "half a file";
  std::ofstream(folder_ / "layers.txt.new") << "half a list";
  EXPECT_EQ(find_layers(model, options(100)).value().states(), 5'478);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "layer-0005.zdd.part123"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "layers.txt.new"));
}

TEST_F(LayersInFolder, FoldersOfOtherThingsAreErrors) {
  const MachinePointer machine = shipped("tic_tac_toe");
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ / "variables.txt.new") << "half a list";
  EXPECT_TRUE(load_variables(folder_, machine->game()));
  std::ofstream(folder_ / "rules.kif") << "(role robot)";
  const auto variables = load_variables(folder_, machine->game());
  ASSERT_FALSE(variables);
  EXPECT_EQ(variables.error().kind, base::ErrorKind::not_applicable);
  const auto layers = find_layers(model_of(machine), options(100));
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().kind, base::ErrorKind::not_applicable);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "rules.kif"));
}

TEST_F(LayersInFolder, OfAnotherGameOrDamagedAreErrors) {
  const Model model = model_of(shipped("tic_tac_toe"));
  ASSERT_TRUE(find_layers(model, options(4)));
  const auto other = find_layers(model_of(shipped("nim")), options(100));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, base::ErrorKind::not_applicable);
  std::filesystem::resize_file(folder_ / "layer-0003.zdd", 20);
  EXPECT_FALSE(find_layers(model, options(100)));
  std::filesystem::resize_file(folder_ / "layers.txt", 30);
  EXPECT_FALSE(find_layers(model, options(100)));
}

TEST_F(LayersInFolder, RememberTheirVariables) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const ground::Game& game = machine->game();
  EXPECT_FALSE(load_variables(folder_, game).value());
  const Encoding encoding = find_encoding(machine);
  std::vector<std::size_t> backwards(encoding.variables().size());
  for (std::size_t v = 0; v < backwards.size(); ++v) backwards[v] = backwards.size() - 1 - v;
  const std::vector<Variable> variables = encoding.reordered(backwards).variables();
  ASSERT_TRUE(save_variables(folder_, game, {"backwards", variables}));
  const VariableList list = load_variables(folder_, game).value().value();
  EXPECT_EQ(list.origin, "backwards");
  ASSERT_EQ(list.variables.size(), variables.size());
  for (std::size_t v = 0; v < variables.size(); ++v) {
    EXPECT_EQ(list.variables[v].fluents, variables[v].fluents);
    EXPECT_EQ(list.variables[v].may_be_none, variables[v].may_be_none);
  }
  EXPECT_FALSE(load_variables(folder_, shipped("nim")->game()));
  std::filesystem::resize_file(folder_ / "variables.txt", 60);
  EXPECT_FALSE(load_variables(folder_, game));
  std::filesystem::resize_file(folder_ / "variables.txt", 10);
  EXPECT_FALSE(load_variables(folder_, game));
}

TEST(Layers, ALimitKeepsTheLayersBefore) {
  const Model model = model_of(generated("connect-four", {"5", "5"}));
  LayersOptions options;
  options.diagrams.limits = base::Limits(std::chrono::duration<double>(0.05), std::nullopt);
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
  few_moves.most_joint_moves = 8;
  few_nodes.most_condition_nodes = 100;
  for (const ModelOptions& options : {few_moves, few_nodes}) {
    const auto model = build_model(machine, encoding, options);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().kind, base::ErrorKind::not_applicable);
  }
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
