// What the engines report about a solution as a whole: the same, however they found it.
#include "solve/summary.h"

#include "machine/perft.h"
#include "solve/common/turn.h"
#include "solve/stored_game.h"
#include "solve/symbolic/layered_solver.h"
#include "solve/symbolic/set_solver.h"
#include "solve/turn_games.h"

namespace zermelo::solve {
namespace {

Summary stored_summary(const TemporaryFolder& folder) {
  auto stored = SolutionReader::open(folder.path());
  if (!stored) throw std::runtime_error(stored.error().message);
  return summarize(*stored).value();
}

void expect_same(const Summary& found, const Summary& expected) {
  EXPECT_EQ(found.states, expected.states);
  EXPECT_EQ(found.terminal_states, expected.terminal_states);
  EXPECT_EQ(found.value, expected.value);
  ASSERT_EQ(found.by_value.size(), expected.by_value.size());
  for (std::size_t i = 0; i < expected.by_value.size(); ++i) {
    EXPECT_EQ(found.by_value[i].rewards, expected.by_value[i].rewards);
    EXPECT_EQ(found.by_value[i].states, expected.by_value[i].states);
  }
}

// The line leads to the end, with the rewards that the summary promises.
void expect_line(const MachinePointer& machine, const Summary& summary) {
  if (summary.line.empty()) return;
  machine::Stepper stepper(machine);
  machine::State state = stepper.initial_state();
  for (const std::string& name : summary.line) {
    ASSERT_FALSE(stepper.terminal(state));
    const auto legal = machine::all_legal_moves(stepper, state);
    const std::size_t role = listed_role(stepper, state, legal);
    const auto move = std::find_if(legal[role].begin(), legal[role].end(),
                                   [&](machine::Move m) { return machine->move_name(m) == name; });
    ASSERT_NE(move, legal[role].end()) << name;
    state = state_after(stepper, state, role, *move);
  }
  ASSERT_TRUE(stepper.terminal(state));
  for (std::size_t role = 0; role < summary.roles.size(); ++role) {
    EXPECT_EQ(stepper.goals(state, role), std::vector<int>{summary.value[role]});
  }
  if (summary.distance) {
    EXPECT_EQ(summary.line.size(), *summary.distance);
  }
}

// Compares the symbolic engine with the explicit one, by layers or, where these have no end, by
// sets. Returns the symbolic summary if both apply.
std::optional<Summary> compare(const MachinePointer& machine) {
  const auto solution = solve_explicit(machine, {});
  const TemporaryFolder folder;
  const auto end = solve_layered(machine, folder.folder(), {});
  if (!solution || !end) return std::nullopt;
  if (*end == LayeredEnd::states_repeat &&
      !solve_by_sets(machine, folder.folder(), Algorithm::retrograde, {})) {
    return std::nullopt;
  }
  const Summary found = stored_summary(folder), expected = summarize(*solution).value();
  expect_same(found, expected);
  expect_line(machine, expected);
  expect_line(machine, found);
  EXPECT_EQ(expected.layer_states, expected.states);
  EXPECT_EQ(problem_with(folder), "");
  return found;
}

TEST(Summary, EnginesAgreeOnFamilies) {
  std::size_t with_overlap = 0;
  for (const auto& [family, sizes] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"tic-tac-toe", {"3", "2", "2"}},
           {"nim", {"2", "3"}},
           {"chomp", {"4", "4"}},
           {"clobber", {"1", "6"}},
           {"hanoi", {"2", "3"}},
           {"hanoi", {"2", "3", "unlimited"}},
           {"peg", {"triangle", "4"}},
           {"queens", {"4"}},
           {"pancakes", {"3"}},
           {"breakthrough", {"2", "4"}},
           {"lights-out", {"2", "2"}},
           {"connect-four", {"3", "3", "3"}}}) {
    SCOPED_TRACE(family);
    const auto found = compare(generated(family, sizes));
    ASSERT_TRUE(found);
    with_overlap += found->layer_states != found->states;
  }
  EXPECT_GE(with_overlap, 2u);
}

TEST(Summary, EnginesAgreeOnShippedGames) {
  std::size_t compared = 0;
  const std::filesystem::path games = std::filesystem::path(ZERMELO_ROOT) / "games";
  for (const auto& entry : std::filesystem::directory_iterator(games)) {
    if (entry.path().extension() != ".kif") continue;
    SCOPED_TRACE(entry.path().string());
    const MachinePointer machine = shipped(entry.path().stem().string());
    const auto few = solve_explicit_up_to(10'000, machine, {});
    if (few && *few) compared += compare(machine).has_value();
  }
  EXPECT_GE(compared, 4u);
}

// None of these has a state in several layers; families have.
TEST(Summary, EnginesAgreeOnRandomGames) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = from_text(with_turns(testing::random_game(seed)));
    const auto few = solve_explicit_up_to(1000, machine, {});
    if (!few || !*few) continue;
    compared += compare(machine).has_value();
  }
  EXPECT_GE(compared, 20u);
}

TEST(Summary, APuzzlesLineIsItsShortestPlan) {
  const auto few = solve_explicit(generated("hanoi", {"3", "3", "unlimited"}), {});
  ASSERT_TRUE(few) << few.error().message;
  EXPECT_EQ(summarize(*few)->line.size(), 7u);
}

TEST(Summary, AStateInSeveralLayersCountsOnce) {
  const auto found = compare(generated("chomp", {"4", "4"}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->states, "138");
  EXPECT_EQ(found->terminal_states, "2");
  EXPECT_EQ(found->layer_states, "490");
}

// Each number of new states is wrong in turn, with all checksums right.
TEST(Summary, WrongNumbersOfNewStatesAreFound) {
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(generated("chomp", {"3", "3"}), folder.folder(), {}));
  const Manifest manifest = folder.folder().manifest().value();
  std::size_t planted = 0;
  const auto expect_found = [&](const Manifest& wrong) {
    ++planted;
    ASSERT_TRUE(folder.folder().finish(wrong));
    EXPECT_NE(problem_with(folder).find("in no earlier layer"), std::string::npos);
  };
  for (std::size_t l = 0; l < manifest.layers.size(); ++l) {
    Manifest wrong = manifest;
    if (!manifest.layers[l].new_states) {
      const StoredLayer& layer = manifest.layers[l];
      wrong.layers[l].new_states = NewStates{"0", "0", layer.by_value};
      expect_found(wrong);
      continue;
    }
    wrong.layers[l].new_states.reset();
    expect_found(wrong);
    for (std::size_t number = 0; number < 4; ++number) {
      NewStates edited = *manifest.layers[l].new_states;
      std::string* const numbers[] = {&edited.states, &edited.terminal, &edited.by_value[0],
                                      &edited.by_value[1]};
      *numbers[number] += "7";
      wrong.layers[l].new_states = edited;
      expect_found(wrong);
    }
  }
  EXPECT_GE(planted, 20u);
  ASSERT_TRUE(folder.folder().finish(manifest));
  EXPECT_EQ(problem_with(folder), "");
}

// A large folder is sampled; that layers are disjoint is then checked for some states only.
TEST(Summary, ASampleFindsLayersThatShareStates) {
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(generated("chomp", {"4", "4"}), folder.folder(), {}));
  VerifyOptions options;
  options.exhaustive_up_to = 10;
  EXPECT_TRUE(verify(folder.path(), options)->ok());
  Manifest wrong = folder.folder().manifest().value();
  for (StoredLayer& layer : wrong.layers) layer.new_states.reset();
  ASSERT_TRUE(folder.folder().finish(wrong));
  const auto verification = verify(folder.path(), options);
  ASSERT_TRUE(verification);
  ASSERT_FALSE(verification->ok());
  EXPECT_NE(verification->failures.at(0).find("the manifest says otherwise"), std::string::npos);
}

}  // namespace
}  // namespace zermelo::solve
