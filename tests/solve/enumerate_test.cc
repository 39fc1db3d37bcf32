// Enumeration beside the sets of states that the slow engine finds, and known counts.
#include "solve/explicit/enumerate.h"

#include <algorithm>
#include <set>
#include <string>

#include "analysis/mutex_groups.h"
#include "machine/perft.h"
#include "reference/reference.h"
#include "solve/explicit/state_packing.h"
#include "solve/load_game.h"
#include "support/random_game.h"

namespace zermelo::solve {
namespace {

// States and terminal states of each layer.
using Layers = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Layers layers_of(const Enumeration& found) {
  EXPECT_FALSE(found.stopped);
  Layers layers;
  for (const LayerCount& layer : found.layers) {
    layers.push_back({layer.states, layer.terminal.value()});
  }
  return layers;
}

// The same by sets of states of the engine that evaluates the rules as they are.
Layers reference_layers(reference::Reference& reference, const EnumerateOptions& options) {
  using State = reference::Reference::State;
  Layers layers;
  std::set<State> known = {reference.initial_state()}, layer = known;
  while (!layer.empty()) {
    layers.push_back({layer.size(), 0});
    std::set<State> next;
    for (const State& state : layer) {
      const bool terminal = reference.terminal(state);
      layers.back().second += terminal;
      if (terminal && !options.continue_past_terminal) continue;
      machine::for_each_joint_move(
          machine::all_legal_moves(reference, state), [&](std::span<const machine::Move> joint) {
            State successor = reference.next_state(state, joint);
            if (!options.duplicate_detection || known.insert(successor).second) {
              next.insert(std::move(successor));
            }
            return true;
          });
    }
    layer = std::move(next);
  }
  return layers;
}

std::uint64_t count(const MachinePointer& machine, unsigned threads = 1) {
  const auto groups = analysis::find_mutex_groups(machine).groups;
  const Enumeration found = enumerate(machine, {.groups = groups, .threads = threads});
  EXPECT_FALSE(found.stopped);
  return found.states();
}

TEST(Enumerate, KnownCounts) {
  EXPECT_EQ(count(shipped("tic_tac_toe")), 5478u);
  EXPECT_EQ(count(generated("clobber", {"1", "6"})), 28u);
  EXPECT_EQ(count(generated("clobber", {"3", "4"}), 2), 13343u);
  EXPECT_EQ(count(generated("connect-four", {"4", "4"}), 2), 161029u);
  EXPECT_EQ(count(generated("sliding-tiles", {"3", "3", "unlimited"}), 2), 181440u);
  EXPECT_EQ(count(generated("hanoi", {"5", "3", "unlimited"})), 243u);
}

TEST(Enumerate, RandomGamesAsTheReferenceHasThem) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const auto rules = testing::rulesheet(testing::random_game(seed));
    reference::Reference reference = reference::Reference::make(rules).value();
    const MachinePointer machine = machine_of(rules);
    for (const bool detection : {true, false}) {
      const EnumerateOptions options = {.groups = analysis::find_mutex_groups(machine).groups,
                                        .threads = seed % 2 == 0 ? 1u : 3u,
                                        .duplicate_detection = detection};
      EXPECT_EQ(layers_of(enumerate(machine, options)), reference_layers(reference, options))
          << "seed " << seed << ", duplicate detection " << detection;
    }
  }
}

TEST(Enumerate, GoesOnPastTerminalStates) {
  const auto rules = testing::rulesheet_file(ZERMELO_ROOT "/games/nim.kif");
  reference::Reference reference = reference::Reference::make(rules).value();
  const MachinePointer machine = machine_of(rules);
  const auto groups = analysis::find_mutex_groups(machine, {.past_terminal = true}).groups;
  const EnumerateOptions options = {.groups = groups, .continue_past_terminal = true};
  EXPECT_EQ(layers_of(enumerate(machine, options)), reference_layers(reference, options));
}

TEST(Enumerate, LimitsLeaveTheCompleteLayers) {
  const MachinePointer machine = generated("connect-four", {"4", "4"});
  const Layers all = layers_of(enumerate(machine, {}));
  std::size_t layers_done = 0;
  const Enumeration none =
      enumerate(machine, {.limits = base::Limits(std::chrono::duration<double>(0), std::nullopt)});
  EXPECT_EQ(none.stopped, base::ErrorKind::time_limit);
  ASSERT_EQ(none.layers.size(), 1u);
  EXPECT_FALSE(none.layers[0].terminal);
  const Enumeration some =
      enumerate(machine, {.limits = base::Limits(std::chrono::duration<double>(0.02), std::nullopt),
                          .on_layer = [&](const LayerCount& layer) {
                            EXPECT_EQ(layer.states, all[layers_done++].first);
                          }});
  for (std::size_t i = 0; i < some.layers.size(); ++i) {
    EXPECT_EQ(some.layers[i].states, all[i].first);
  }
}

TEST(Enumerate, StopsWhenThereAreTooMany) {
  const MachinePointer machine = generated("connect-four", {"4", "4"});
  EXPECT_TRUE(enumerate(machine, {.max_states = 161028}).too_many);
  EXPECT_FALSE(enumerate(machine, {.max_states = 161029}).too_many);
  EXPECT_TRUE(enumerate(machine, {.duplicate_detection = false, .max_states = 161028}).too_many);
  EXPECT_FALSE(enumerate(machine, {.duplicate_detection = false, .max_states = 161029}).too_many);
}

TEST(Enumerate, MemoryIsLimited) {
  const Enumeration found = enumerate(generated("connect-four", {"5", "4"}),
                                      {.limits = base::Limits(std::nullopt, std::size_t{1})});
  EXPECT_EQ(found.stopped, base::ErrorKind::memory_limit);
}

// Two roles choose at the same time, after the first has chosen one of two ways to begin: more
// successors of one state than a thread looks up at once, and another state after it.
TEST(Enumerate, ManyJointMoves) {
  std::string rules = "(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2)";
  for (int i = 0; i < 520; ++i) rules += " (number " + std::to_string(i) + ")";
  rules += R"(
    (<= (legal a (begin 0)) (true (step 0)))
    (<= (legal a (begin 1)) (true (step 0)))
    (<= (legal b wait) (true (step 0)))
    (<= (legal a (say ?n)) (true (step 1)) (number ?n))
    (<= (legal b (say ?n)) (true (step 1)) (number ?n))
    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (begun ?n)) (does a (begin ?n)))
    (<= (next (said ?r ?n)) (does ?r (say ?n)))
    (<= terminal (true (step 2)))
    (<= (goal a 0)) (<= (goal b 0)))";
  const Enumeration found = enumerate(from_text(rules), {.threads = 2});
  EXPECT_EQ(layers_of(found), (Layers{{1, 0}, {2, 0}, {520 * 520, 520 * 520}}));
}

TEST(StatePacking, FieldsInOneWordEach) {
  const StatePacking packing(200, {{{0, 1, 2, 3, 4}, true}, {{5, 60, 70, 199}, false}});
  EXPECT_EQ(packing.bits(), 3u + 3u + 191u);
  EXPECT_EQ(packing.words(), 4u);
  std::vector<std::uint64_t> packed(packing.words());
  packing.pack({3, 64, 128, 199}, packed);
  std::vector<ground::Atom> state;
  for (const StatePacking::Field& field : packing.fields()) {
    EXPECT_EQ(field.first_bit / 64, (field.first_bit + field.width - 1) / 64);
    const std::uint64_t from_field = packed[field.first_bit / 64] >> field.first_bit % 64;
    const std::uint64_t value = from_field & ((std::uint64_t{1} << field.width) - 1);
    if (field.fluents.at(value) != ground::no_atom) state.push_back(field.fluents[value]);
  }
  std::sort(state.begin(), state.end());
  EXPECT_EQ(state, (std::vector<ground::Atom>{3, 64, 128, 199}));
}

}  // namespace
}  // namespace zermelo::solve
