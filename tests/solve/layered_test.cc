// The symbolic solver beside the explicit one, state by state, and its interruptions.
#include "solve/layered.h"

#include "solve/distance.h"
#include "solve/stored_game.h"
#include "solve/turn_games.h"

namespace zermelo::solve {
namespace {

LayeredOptions layered_options(OpponentModel model) {
  LayeredOptions options;
  options.model = model;
  return options;
}

// Whether the symbolic engine applies; if so, all that it says is what the explicit one says.
bool compare(const MachinePointer& machine, OpponentModel model) {
  const TemporaryFolder folder;
  const auto solved_so = solve_layered(machine, folder.folder(), layered_options(model));
  if (!solved_so) {
    EXPECT_EQ(solved_so.error().kind, base::ErrorKind::not_applicable) << solved_so.error().message;
    return false;
  }
  const ExplicitSolution expected = solved(machine, model);
  auto stored = StoredSolution::open(folder.path());
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

TEST(Layered, RepeatingGamesAndSimultaneousDecisionsAreRefused) {
  const auto refuse = [](const MachinePointer& machine) {
    const TemporaryFolder folder;
    const auto solved_so = solve_layered(machine, folder.folder(), {});
    if (solved_so) throw std::runtime_error("the game was solved");
    return solved_so.error();
  };
  const base::Error cyclic = refuse(from_text(R"(
    (role a) (init p)
    (<= (legal a go) (true p)) (<= (legal a back) (true q)) (<= (legal a stop) (true q))
    (<= (next q) (does a go)) (<= (next p) (does a back)) (<= (next over) (does a stop))
    (<= terminal (true over)) (goal a 100)
  )"));
  EXPECT_EQ(cyclic.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(cyclic.message.find("can occur again"), std::string::npos) << cyclic.message;
  const base::Error both = refuse(shipped("rock_paper_scissors"));
  EXPECT_EQ(both.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(both.message.find("decide at the same time in the state: "), std::string::npos);
  EXPECT_NE(both.message.find("(round 1)"), std::string::npos) << both.message;
}

// Both roles have two moves.
std::string two_choosers(const std::string& successor) {
  return R"(
    (role a) (role b) (init start) (choice left) (choice right)
    (<= (legal ?role ?move) (role ?role) (choice ?move))
    (<= terminal (not (true start)))
    (<= (goal a 100) (true (end left))) (<= (goal a 0) (not (true (end left))))
    (<= (goal b 0) (true (end left))) (<= (goal b 100) (not (true (end left))))
  )" + successor;
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

void run_for(const MachinePointer& machine, const TemporaryFolder& folder, std::size_t layers) {
  LayeredOptions options;
  options.progress = [&](const LayeredProgress&) {
    if (layers-- == 0) throw Killed();
  };
  try {
    const auto done = solve_layered(machine, folder.folder(), options);
    EXPECT_TRUE(done) << done.error().message;
  } catch (const Killed&) {
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
  LayeredOptions options;
  ASSERT_TRUE(solve_layered(machine, one.folder(), options));
  options.threads = 2;
  ASSERT_TRUE(solve_layered(machine, two.folder(), options));
  EXPECT_EQ(one.files(), two.files());
}

TEST(Layered, LittleMemoryDoesNotChangeTheFolder) {
  const MachinePointer machine = generated("connect-four", {"4", "4"});
  const TemporaryFolder much, little;
  LayeredOptions options;
  ASSERT_TRUE(solve_layered(machine, much.folder(), options));
  options.memory_bytes = 64 << 10;  // so that most levels go through files
  ASSERT_TRUE(solve_layered(machine, little.folder(), options));
  EXPECT_EQ(much.files(), little.files());
}

TEST(Layered, LimitsKeepTheFolder) {
  const MachinePointer machine = generated("connect-four", {"4", "4"});
  const TemporaryFolder folder;
  LayeredOptions options;
  options.limits = base::Limits(std::chrono::duration<double>(0.05), {});
  const auto stopped = solve_layered(machine, folder.folder(), options);
  if (!stopped) {
    EXPECT_EQ(stopped.error().kind, base::ErrorKind::time_limit);
  }
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  auto stored = StoredSolution::open(folder.path());
  ASSERT_TRUE(stored);
  const auto start = stored->value(machine::Stepper(stored->machine()).initial_state(), 0);
  EXPECT_EQ(start->rewards, (Rewards{50, 50}));
}

// The folder as it is before its last step, with all layers noted as done.
void undo_finish(const TemporaryFolder& folder) {
  const auto manifest = folder.folder().manifest();
  ASSERT_TRUE(manifest);
  ASSERT_TRUE(folder.folder().note({true, manifest->layers}));
  std::filesystem::remove(folder.path() / "manifest.json");
}

TEST(Layered, WhatWasDamagedIsComputedAgain) {
  const MachinePointer machine = generated("nim", {"1", "2", "2"});
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(machine, folder.folder(), {}));
  const auto whole = folder.files();
  for (const char* name :
       {"layer-0000.states", "layer-0002.states", "layer-0002.values", "layer-0003.distances"}) {
    for (const char* damage : {"flipped", "cut", "removed"}) {
      undo_finish(folder);
      std::string bytes = whole.at(name);
      damage == std::string("cut") ? bytes.pop_back() : void(bytes.back() ^= 1);
      folder.write(name, bytes);
      if (damage == std::string("removed")) std::filesystem::remove(folder.path() / name);
      ASSERT_TRUE(solve_layered(machine, folder.folder(), {})) << name << " " << damage;
      EXPECT_EQ(folder.files(), whole) << name << " " << damage;
    }
  }
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

TEST(Layered, AFolderHasOneWriterAtATime) {
  const MachinePointer machine = generated("nim", {"1", "2"});
  const TemporaryFolder folder;
  {
    const SolutionFolder first = folder.folder();
    ASSERT_TRUE(solve_layered(machine, first, {}));
    const auto second = solve_layered(machine, folder.folder(), {});
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, base::ErrorKind::not_applicable);
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
