// The symbolic solver beside the explicit one, state by state, and its interruptions.
#include <fmt/format.h>

#include "dd/file.h"
#include "solve/explicit/distance.h"
#include "solve/folder/diagram_variables.h"
#include "solve/stored_game.h"
#include "solve/symbolic/layered_solver.h"
#include "solve/turn_games.h"
#include "symbolic/layer_folder.h"
#include "symbolic/variables.h"

namespace zermelo::solve {
namespace {

SymbolicOptions layered_options(OpponentModel model) {
  SymbolicOptions options;
  options.model = model;
  return options;
}

// Whether the symbolic engine applies; if so, all that it says is what the explicit one says.
bool compare(const MachinePointer& machine, OpponentModel model) {
  const TemporaryFolder folder;
  const auto end = solve_layered(machine, folder.folder(), layered_options(model));
  if (!end) {
    EXPECT_EQ(end.error().kind, base::ErrorKind::not_applicable) << end.error().message;
  }
  if (end != LayeredEnd::solved) return false;
  const ExplicitSolution expected = solved(machine, model);
  auto stored = SolutionReader::open(folder.path());
  EXPECT_TRUE(stored);
  const GameGraph& graph = expected.graph();
  const std::vector<Distance> moves = distances(graph, expected.values()).value();
  machine::State state(machine->game().fluents.size());
  for (StateIndex s = 0; s < graph.size(); ++s) {
    std::copy(graph.states[s].begin(), graph.states[s].end(), state.words().begin());
    const auto value = stored->value(state, 0);
    EXPECT_TRUE(value);
    if (!value) return true;
    EXPECT_EQ(value->rewards, *expected.value(state));
    EXPECT_EQ(value->distance.value_or(no_distance), moves[s]);
    EXPECT_EQ(value->decides.has_value(), graph.terminal[s] == unknown_outcome);
  }
  EXPECT_EQ(problem_with(folder), "");
  return true;
}

TEST(Layered, AgreesWithTheExplicitSolverOnFamilies) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> games = {
      {"tic-tac-toe", {"3", "2", "2"}},
      {"nim", {"2", "3"}},
      {"chomp", {"3", "3"}},
      {"clobber", {"1", "6"}},
      {"clobber", {"2", "3", "tokens"}},
      {"peg", {"triangle", "4"}},
      {"queens", {"4"}},
      {"breakthrough", {"2", "4"}},
      {"connect-four", {"3", "3", "3"}}};
  for (const auto& [family, sizes] : games) {
    for (const OpponentModel model : {OpponentModel::own, OpponentModel::difference}) {
      EXPECT_TRUE(compare(generated(family, sizes), model)) << family;
    }
  }
}

TEST(Layered, AgreesWithTheExplicitSolverOnRandomGames) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const MachinePointer machine = from_text(with_turns(testing::random_game(seed)));
    const OpponentModel model = seed % 2 == 0 ? OpponentModel::own : OpponentModel::difference;
    const auto solution = solve_explicit(machine, {model, {}});
    if (!solution || solution->states() > 1000) continue;
    compared += compare(machine, model);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(compared, 20u);
}

// A token that goes from p to q and back until somebody stops it.
MachinePointer endless_game() {
  return from_text(R"(
    (role a) (init p)
    (<= (legal a go) (true p)) (<= (legal a back) (true q)) (<= (legal a stop) (true q))
    (<= (next q) (does a go)) (<= (next p) (does a back)) (<= (next over) (does a stop))
    (<= terminal (true over)) (goal a 100)
  )");
}

TEST(Layered, AGameThatIsNotSolvedLeavesNothing) {
  const TemporaryFolder folder;
  const auto endless = solve_layered(endless_game(), folder.folder(), {});
  ASSERT_TRUE(endless) << endless.error().message;
  EXPECT_EQ(*endless, LayeredEnd::states_repeat);
  EXPECT_TRUE(folder.files().empty());
  const auto both = solve_layered(shipped("rock_paper_scissors"), folder.folder(), {});
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().kind, base::ErrorKind::not_applicable);
  EXPECT_NE(both.error().message.find("decide at the same time in the state: "), std::string::npos);
  EXPECT_NE(both.error().message.find("(round 1)"), std::string::npos) << both.error().message;
  EXPECT_TRUE(folder.files().empty());
}

TEST(Layered, AChoiceThatChangesNothingIsNone) {
  for (const char* decisive :
       {"(does a ?move)", "(does b ?move)", "(does a left) (choice ?move)"}) {
    const std::string next = std::string("(<= (next (end ?move)) ") + decisive + ")";
    EXPECT_TRUE(compare(from_text(two_choosers(next)), OpponentModel::own)) << decisive;
  }
  const std::string alike = "(<= (next (end ?move)) (does a ?move) (does b ?move))";
  EXPECT_FALSE(compare(from_text(two_choosers(alike)), OpponentModel::own));
}

// A run that ends after so many layers, found or solved, as if it were killed.
struct Killed {};

// How it ended, if it did.
std::optional<LayeredEnd> run_for(const MachinePointer& machine, const TemporaryFolder& folder,
                                  std::size_t layers) {
  SymbolicOptions options;
  options.progress = [&](const SymbolicProgress&) {
    if (layers-- == 0) throw Killed();
  };
  try {
    const auto done = solve_layered(machine, folder.folder(), options);
    EXPECT_TRUE(done) << done.error().message;
    return done ? std::optional(*done) : std::nullopt;
  } catch (const Killed&) {
    return std::nullopt;
  }
}

TEST(Layered, RepetitionIsFoundInShortRunsToo) {
  for (const MachinePointer& machine :
       {endless_game(), generated("hanoi", {"2", "3", "unlimited"})}) {
    const TemporaryFolder folder;
    std::optional<LayeredEnd> end;
    for (std::size_t runs = 0; !end && runs < 60; ++runs) end = run_for(machine, folder, 0);
    EXPECT_EQ(end, LayeredEnd::states_repeat);
    EXPECT_TRUE(folder.files().empty());
  }
}

TEST(Layered, InterruptionsLeaveNoTrace) {
  const MachinePointer machine = generated("connect-four", {"3", "3", "3"});
  const TemporaryFolder whole;
  run_for(machine, whole, 1000);
  const auto expected = whole.files();
  EXPECT_EQ(problem_with(whole), "");
  for (std::size_t step = 0; step < 4; ++step) {
    const TemporaryFolder pieces;
    std::size_t runs = 0;
    while (!pieces.folder().finished() && ++runs < 60) run_for(machine, pieces, step);
    EXPECT_GE(runs, 5u);
    EXPECT_EQ(pieces.files(), expected) << step;
  }
}

TEST(Layered, ThreadsDoNotChangeTheFolder) {
  const MachinePointer machine = generated("clobber", {"3", "3"});
  const TemporaryFolder one, two;
  SymbolicOptions options;
  ASSERT_TRUE(solve_layered(machine, one.folder(), options));
  options.threads = 2;
  ASSERT_TRUE(solve_layered(machine, two.folder(), options));
  EXPECT_EQ(one.files(), two.files());
}

TEST(Layered, LittleMemoryDoesNotChangeTheFolder) {
  const MachinePointer machine = generated("connect-four", {"4", "4"});
  const TemporaryFolder much, little;
  SymbolicOptions options;
  ASSERT_TRUE(solve_layered(machine, much.folder(), options));
  options.memory_bytes = 64 << 10;  // so that most levels go through files
  ASSERT_TRUE(solve_layered(machine, little.folder(), options));
  EXPECT_EQ(much.files(), little.files());
}

TEST(Layered, LimitsKeepTheFolder) {
  const MachinePointer machine = generated("connect-four", {"4", "4"});
  const TemporaryFolder folder;
  SymbolicOptions options;
  options.limits = base::Limits(std::chrono::duration<double>(0.05), {});
  const auto stopped = solve_layered(machine, folder.folder(), options);
  if (!stopped) {
    EXPECT_EQ(stopped.error().kind, base::ErrorKind::time_limit);
  }
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  auto stored = SolutionReader::open(folder.path());
  ASSERT_TRUE(stored);
  const auto start = stored->value(machine::Stepper(stored->machine()).initial_state(), 0);
  EXPECT_EQ(start->rewards, (Rewards{50, 50}));
}

// The folder as it is before its last step, with all layers found and solved.
void undo_finish(const MachinePointer& machine, const TemporaryFolder& folder) {
  const auto manifest = folder.folder().manifest();
  ASSERT_TRUE(manifest);
  std::filesystem::remove_all(folder.path());
  ASSERT_FALSE(run_for(machine, folder, 2 * manifest->layers.size() - 1));
}

TEST(Layered, WhatWasDamagedIsComputedAgain) {
  const MachinePointer machine = generated("nim", {"1", "2", "2"});
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  const auto whole = folder.files();
  for (const char* name :
       {"layer-0000.states", "layer-0002.states", "layer-0002.values", "layer-0003.distances"}) {
    for (const char* damage : {"flipped", "cut", "removed"}) {
      undo_finish(machine, folder);
      std::string bytes = whole.at(name);
      damage == std::string("cut") ? bytes.pop_back() : void(bytes.back() ^= 1);
      folder.write(name, bytes);
      if (damage == std::string("removed")) std::filesystem::remove(folder.path() / name);
      ASSERT_TRUE(solve_layered(machine, folder.folder(), {})) << name << " " << damage;
      EXPECT_EQ(folder.files(), whole) << name << " " << damage;
    }
  }
}

// What notes of progress say is not taken for granted.
class Noted : public ::testing::Test {
 protected:
  Noted() {
    EXPECT_TRUE(solve_layered(machine_, folder_.folder(), {}));
    whole_ = folder_.files();
    undo_finish(machine_, folder_);
  }

  void expect_completion(const std::string& what) {
    const auto done = solve_layered(machine_, folder_.folder(), {});
    ASSERT_TRUE(done) << what << ": " << done.error().message;
    EXPECT_EQ(folder_.files(), whole_) << what;
    undo_finish(machine_, folder_);
  }

  MachinePointer machine_ = generated("nim", {"1", "2", "2"});
  TemporaryFolder folder_;
  std::map<std::string, std::string> whole_;
};

TEST_F(Noted, ADamagedNoteIsNone) {
  for (const char* name : {"states.txt", "progress.json"}) {
    const std::string note = folder_.read(name);
    ASSERT_FALSE(note.empty()) << name;
    for (std::size_t at = 0; at < note.size(); at += 37) {
      std::string damaged = note;
      damaged[at] = static_cast<char>(damaged[at] ^ 1);
      folder_.write(name, damaged);
      expect_completion(fmt::format("{}: a bit at {}", name, at));
    }
    std::filesystem::remove(folder_.path() / name);
    expect_completion(fmt::format("without {}", name));
  }
}

TEST_F(Noted, ANoteOfOtherLayersIsNone) {
  const auto description = folder_.folder().description();
  ASSERT_TRUE(description);
  const auto progress = folder_.folder().progress(*description);
  ASSERT_TRUE(progress);
  ASSERT_TRUE(folder_.folder().note(*description, {0, {}}));
  expect_completion("no layers");
  ASSERT_TRUE(folder_.folder().note(*description, {progress->first + 1, progress->layers}));
  expect_completion("one more layer");
  ASSERT_TRUE(folder_.folder().note(*description, {0, {progress->layers.front()}}));
  expect_completion("only the first layer");
}

TEST_F(Noted, FilesThatChangedPlacesAreMadeAgain) {
  for (const char* part : {"states", "values", "distances"}) {
    const std::string third = std::string("layer-0003.") + part;
    folder_.write(third, folder_.read(std::string("layer-0002.") + part));
    expect_completion(third);
  }
}

TEST_F(Noted, ADescriptionWithOtherOutcomesMakesTheNoteWorthless) {
  const auto description = folder_.folder().description();
  Description other = *description;
  std::swap(other.outcomes.at(0), other.outcomes.at(1));
  ASSERT_TRUE(folder_.folder().describe(other));
  expect_completion("swapped");
  other = *description;
  other.outcomes.push_back({50, 50});
  ASSERT_TRUE(folder_.folder().describe(other));
  expect_completion("one more");
}

TEST_F(Noted, LimitsEndTheCheckOfWhatIsThere) {
  const auto before = folder_.files();
  std::size_t ended = 0;
  for (std::size_t questions = 0;; ++questions) {
    std::size_t asked = 0;
    SymbolicOptions options;
    options.limits.end_when([&] { return asked++ >= questions; });
    const auto done = solve_layered(machine_, folder_.folder(), options);
    if (done) break;
    ++ended;
    EXPECT_EQ(done.error().kind, base::ErrorKind::time_limit);
    EXPECT_EQ(folder_.files(), before);
  }
  EXPECT_GE(ended, 15u);  // three files of each of five layers
  EXPECT_EQ(folder_.files(), whole_);
}

TEST(Layered, FilesOfDistancesThatAreNotWantedGo) {
  const MachinePointer machine = generated("nim", {"1", "2", "2"});
  SymbolicOptions without;
  without.distances = false;
  const TemporaryFolder expected, folder;
  ASSERT_TRUE(solve_layered(machine, expected.folder(), without));
  run_for(machine, folder, 2);
  folder.write("layer-0003.distances", "from a run that was killed before it noted the layer");
  ASSERT_TRUE(solve_layered(machine, folder.folder(), without));
  EXPECT_EQ(folder.files(), expected.files());
}

TEST(Layered, WithoutNotesOfProgressTheFolderIsMadeAnew) {
  const MachinePointer machine = generated("nim", {"1", "2", "2"});
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  const auto whole = folder.files();
  std::filesystem::remove(folder.path() / "manifest.json");
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  EXPECT_EQ(folder.files(), whole);
}

// Stores layers as `count --out` does.
symbolic::Layers count_in(const MachinePointer& machine, const TemporaryFolder& folder,
                          symbolic::LayersOptions options) {
  const ground::Game& game = machine->game();
  const symbolic::Encoding encoding = symbolic::choose_variables(machine).ordered();
  if (!symbolic::holds_counted_layers(folder.path())) {
    EXPECT_TRUE(symbolic::save_variables(folder.path(), game, {"order", encoding.variables()}));
  }
  symbolic::ModelOptions model_options;
  model_options.past_terminal = options.continue_past_terminal;
  options.folder = folder.path();
  return symbolic::find_layers(symbolic::build_model(machine, encoding, model_options).value(),
                               options)
      .value();
}

// Whether or not `count` came to its end, and whatever was damaged since.
TEST(Layered, ContinuesFromCountedLayers) {
  for (const bool only_new : {true, false}) {
    const MachinePointer machine = generated("connect-four", {"3", "3", "3"});
    const TemporaryFolder expected;
    ASSERT_TRUE(solve_layered(machine, expected.folder(), {}));
    const auto whole = expected.files();
    for (const std::size_t most : {1, 4, 100}) {
      for (const char* damaged : {"", "layer-0000.zdd", "layer-0002.zdd"}) {
        const TemporaryFolder folder;
        count_in(machine, folder, {.only_new = only_new, .max_layers = most});
        if (*damaged != 0) folder.write(damaged, "damage");
        ASSERT_TRUE(solve_layered(machine, folder.folder(), {})) << damaged;
        EXPECT_EQ(folder.files(), whole) << most << " " << damaged;
      }
    }
  }
}

// An empty layer with all checksums right is not one that the solver would compute.
TEST(Layered, CountedLayersAreUsed) {
  const MachinePointer machine = generated("connect-four", {"3", "3", "3"});
  const TemporaryFolder folder;
  const symbolic::Layers counted = count_in(machine, folder, {.keep = false});
  ASSERT_TRUE(counted.complete);
  const std::filesystem::path third = folder.path() / "layer-0003.zdd";
  const auto layer = dd::load(third);
  ASSERT_TRUE(layer);
  const auto empty = dd::Diagram::constant(layer->domains(), layer->constants(), 0);
  const std::string before = fmt::format("{:016x}", dd::file_checksum(third).value());
  ASSERT_TRUE(dd::save(empty, third));
  std::string list = folder.read("layers.txt");
  list.resize(list.size() - 17);
  list.replace(list.find(before), 16, fmt::format("{:016x}", dd::file_checksum(third).value()));
  list += fmt::format("{:016x}\n", dd::checksum(list.data(), list.size()));
  folder.write("layers.txt", list);
  const auto lock = dd::FolderLock::take(folder.path()).value();
  const auto model =
      symbolic::build_model(machine, symbolic::choose_variables(machine).ordered()).value();
  const auto earlier = symbolic::LayerFolder::open_counted(folder.path(), lock, model, {}).value();
  ASSERT_TRUE(earlier);
  const auto found = symbolic::find_layers(model, {.only_new = false, .earlier = &*earlier});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->complete);
  EXPECT_EQ(found->statistics.size(), 3u);  // the forged layer is the end
}

TEST(Layered, InterruptionsOfCountingAndSolvingLeaveNoTrace) {
  const MachinePointer machine = generated("chomp", {"3", "3"});
  const TemporaryFolder expected, folder;
  ASSERT_TRUE(solve_layered(machine, expected.folder(), {}));
  count_in(machine, folder, {.only_new = false, .max_layers = 3});
  run_for(machine, folder, 1);
  EXPECT_TRUE(folder.folder().holds_counted_layers());
  count_in(machine, folder, {.only_new = false, .max_layers = 5});
  std::size_t runs = 0;
  while (!folder.folder().finished() && ++runs < 60) run_for(machine, folder, 1);
  EXPECT_EQ(folder.files(), expected.files());
}

// Nothing of what `count` stored is lost.
TEST(Layered, CountedLayersThatDoNotFitAreRefused) {
  const MachinePointer chomp = generated("chomp", {"3", "3"});
  const auto expect_refusal = [](const MachinePointer& machine, const TemporaryFolder& folder,
                                 const std::string& reason) {
    const auto before = folder.files();
    const auto refused = solve_layered(machine, folder.folder(), {});
    ASSERT_FALSE(refused) << reason;
    EXPECT_EQ(refused.error().kind, base::ErrorKind::not_applicable);
    EXPECT_NE(refused.error().message.find(reason), std::string::npos) << refused.error().message;
    EXPECT_EQ(folder.files(), before);
  };
  const TemporaryFolder without, past, other, simultaneous, endless;
  count_in(chomp, without, {});
  expect_refusal(chomp, without, "without the states of earlier layers");
  count_in(chomp, past, {.only_new = false, .continue_past_terminal = true, .max_layers = 5});
  expect_refusal(chomp, past, "with --continue-past-terminal");
  count_in(generated("chomp", {"3", "2"}), other, {.only_new = false});
  expect_refusal(chomp, other, "of other rules or another search");
  const MachinePointer scissors = shipped("rock_paper_scissors");
  count_in(scissors, simultaneous, {});
  expect_refusal(scissors, simultaneous, "decide at the same time in the state: ");
  count_in(endless_game(), endless, {.only_new = false, .max_layers = 10});
  const auto before = endless.files();
  EXPECT_EQ(solve_layered(endless_game(), endless.folder(), {}).value(), LayeredEnd::states_repeat);
  EXPECT_EQ(endless.files(), before);
}

TEST(Layered, OtherAlgorithmsRefuseCountedLayers) {
  const MachinePointer machine = generated("chomp", {"3", "3"});
  const TemporaryFolder folder;
  count_in(machine, folder, {.only_new = false});
  const auto before = folder.files();
  const auto stored = store(solved(machine), folder.folder(), {});
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, base::ErrorKind::not_applicable);
  EXPECT_EQ(folder.files(), before);
}

TEST(Layered, AFolderHasOneWriterAtATime) {
  const MachinePointer machine = generated("nim", {"1", "2"});
  const TemporaryFolder folder;
  {
    const SolutionFolder first = folder.folder();
    ASSERT_TRUE(solve_layered(machine, first, {}));
    const auto files = folder.files();
    const auto second = solve_layered(machine, folder.folder(), {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, base::ErrorKind::not_applicable);
    EXPECT_EQ(folder.files(), files);
  }
  EXPECT_TRUE(solve_layered(machine, folder.folder(), {}));
}

TEST(Layered, AFolderBegunWithOtherVariablesIsAnError) {
  const MachinePointer machine = generated("nim", {"1", "2"});
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  std::filesystem::remove(folder.path() / "manifest.json");
  const std::string description = folder.read("description.json");
  const std::size_t name = description.find("(heap");
  ASSERT_NE(name, std::string::npos);
  std::string other = description;
  other.replace(name, 5, "(pile");
  folder.write("description.json", other);
  const auto refused = solve_layered(machine, folder.folder(), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, base::ErrorKind::unreadable_input);
}

}  // namespace
}  // namespace zermelo::solve
