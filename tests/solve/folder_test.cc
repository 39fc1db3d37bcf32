// Solutions on disk: what is stored is what was found, damage is noticed, interruptions are not.
#include <fmt/format.h>
#include <sys/resource.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "base/random.h"
#include "dd/conditions.h"
#include "dd/file.h"
#include "dd/operations.h"
#include "solve/explicit/distance.h"
#include "solve/stored_game.h"
#include "solve/turn_games.h"

namespace zermelo::solve {
namespace {

using Part = SolutionFolder::Part;

// Every state of the solution, in the folder.
void compare_all_states(const MachinePointer& machine, OpponentModel model) {
  const ExplicitSolution solution = solved(machine, model);
  const TemporaryFolder folder;
  store_in(folder, solution);
  auto stored = SolutionReader::open(folder.path());
  ASSERT_TRUE(stored) << stored.error().message;
  const GameGraph& graph = solution.graph();
  const std::vector<Distance> expected = distances(graph, solution.values()).value();
  machine::State state(machine->game().fluents.size());
  for (StateIndex s = 0; s < graph.size(); ++s) {
    std::copy(graph.states[s].begin(), graph.states[s].end(), state.words().begin());
    const auto value = stored->value(state, s % 7);
    ASSERT_TRUE(value) << value.error().message;
    EXPECT_EQ(value->rewards, *solution.value(state));
    EXPECT_EQ(value->decides.has_value(), graph.terminal[s] == unknown_outcome);
    EXPECT_EQ(value->distance.value_or(no_distance), expected[s]);
  }
  EXPECT_EQ(problem_with(folder), "");
}

TEST(Folder, HoldsEveryState) {
  compare_all_states(generated("clobber", {"2", "3", "tokens"}), OpponentModel::own);
  compare_all_states(generated("clobber", {"2", "3", "tokens"}), OpponentModel::difference);
  compare_all_states(generated("sliding-tiles", {"2", "2"}), OpponentModel::own);
  compare_all_states(generated("nim", {"1", "2", "3"}), OpponentModel::own);
}

TEST(Folder, RandomGamesPassVerification) {
  std::size_t stored = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const MachinePointer machine = from_text(with_turns(testing::random_game(seed)));
    const auto solution = solve_explicit(machine, {OpponentModel::difference, {}});
    if (!solution || solution->states() > 3000) continue;
    const TemporaryFolder folder;
    store_in(folder, *solution, seed % 2 == 0);
    ASSERT_EQ(problem_with(folder), "") << "seed " << seed;
    ++stored;
  }
  EXPECT_GE(stored, 40u);
}

// The distance by its definition.
Distance distance_by_recursion(const ExplicitSolution& solution, StateIndex s) {
  const GameGraph& graph = solution.graph();
  if (graph.terminal[s] != unknown_outcome) return 0;
  const auto& values = solution.values().values;
  const bool soon =
      graph.movers[s] == nobody || hurries(graph.movers[s], graph.outcomes[values[s]]);
  std::set<Distance> found;
  for (const StateIndex next : graph.successors(s)) {
    if (values[next] == values[s]) found.insert(distance_by_recursion(solution, next));
  }
  return 1 + (soon ? *found.begin() : *found.rbegin());
}

TEST(Distance, TheWinnerHurriesAndTheLoserDelays) {
  for (const auto& machine :
       {generated("clobber", {"2", "3"}), generated("nim", {"2", "3"}),
        generated("chomp", {"3", "2"}), generated("tic-tac-toe", {"3", "2", "2"})}) {
    const ExplicitSolution solution = solved(machine);
    const auto found = distances(solution.graph(), solution.values()).value();
    for (StateIndex s = 0; s < solution.graph().size(); ++s) {
      ASSERT_EQ(found[s], distance_by_recursion(solution, s));
    }
  }
}

TEST(Distance, OfGamesWithCycles) {
  const ExplicitSolution puzzle = solved(generated("hanoi", {"3", "3"}));
  EXPECT_EQ(distances(puzzle.graph(), puzzle.values()).value()[0], 7u);
}

// A folder of Clobber 1x6, all of whose 28 states are tampered with in turn.
class Planted : public ::testing::Test {
 protected:
  Planted() { store_in(folder_, solved(generated("clobber", {"1", "6"}))); }

  // Calls visit(layer, assignment) for every state.
  void for_each_state(
      const std::function<void(std::size_t, const std::vector<dd::Value>&)>& visit) {
    const auto manifest = folder_.folder().manifest();
    ASSERT_TRUE(manifest);
    for (std::size_t l = 0; l < manifest->layers.size(); ++l) {
      const auto states = dd::load(folder_.folder().file(Part::states, l));
      for (dd::NodeId c = 1; c < states->constants(); ++c) {
        states->enumerate(c, [&](std::span<const dd::Value> assignment) {
          visit(l, {assignment.begin(), assignment.end()});
          return true;
        });
      }
    }
  }

  // Gives one assignment another constant, with all checksums right, and returns what verify says.
  std::string plant(Part part, std::size_t layer, const std::vector<dd::Value>& assignment,
                    dd::NodeId constant) {
    const SolutionFolder folder = folder_.folder();
    const auto original = dd::load(folder.file(part, layer));
    dd::Conditions conditions(original->domains());
    auto only = dd::Conditions::always;
    for (std::size_t v = 0; v < assignment.size(); ++v) {
      only = *conditions.both(only, conditions.literal(v, {assignment[v]}));
    }
    const dd::Combination change{
        std::max(original->constants(), constant + 1),
        [&](std::span<const dd::NodeId> c) { return c[1] != 0 ? constant : c[0]; }};
    const auto changed = dd::combine({*original, conditions.diagram(only)}, change);
    auto manifest = folder.manifest();
    for (StoredLayer& stored : manifest->layers) {
      stored.states_checksum = stored.values_checksum = 0;
      stored.distances_checksum = 0;
    }
    EXPECT_TRUE(folder.save(part, layer, *changed));
    EXPECT_TRUE(folder.finish(*manifest));
    const std::string problem = problem_with(folder_);
    EXPECT_TRUE(folder.save(part, layer, *original));
    EXPECT_TRUE(folder.finish(*manifest));
    return problem;
  }

  dd::NodeId constant(Part part, std::size_t layer, const std::vector<dd::Value>& assignment) {
    return dd::load(folder_.folder().file(part, layer))->evaluate(assignment);
  }

  TemporaryFolder folder_;
};

TEST_F(Planted, AnyWrongConstantIsFound) {
  constexpr dd::NodeId movers = 2;
  std::size_t states = 0, wrong_movers = 0;
  for_each_state([&](std::size_t layer, const std::vector<dd::Value>& assignment) {
    ++states;
    const dd::NodeId value = constant(Part::values, layer, assignment);
    EXPECT_NE(plant(Part::values, layer, assignment, 3 - value), "");
    const dd::NodeId distance = constant(Part::distances, layer, assignment);
    EXPECT_NE(plant(Part::distances, layer, assignment, distance + 1), "");
    EXPECT_NE(plant(Part::distances, layer, assignment, 1), "");
    const dd::NodeId state = constant(Part::states, layer, assignment);
    for (dd::NodeId other = 0; other < 5; ++other) {
      if (other == state) continue;
      const std::string problem = plant(Part::states, layer, assignment, other);
      if (state > movers || other > movers || other == 0) {
        EXPECT_NE(problem, "") << other;
      } else {
        wrong_movers += !problem.empty();  // with a single move, anybody may be said to decide
      }
    }
  });
  EXPECT_EQ(wrong_movers, 8u);
  EXPECT_EQ(states, 28u);
  EXPECT_EQ(problem_with(folder_), "");
}

TEST_F(Planted, AnyFlippedBitIsFound) {
  base::Random random(1);
  for (const auto& [name, bytes] : folder_.files()) {
    for (std::size_t at = 0; at < bytes.size(); at += 1 + random.below(16)) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
      folder_.write(name, damaged);
      EXPECT_NE(problem_with(folder_), "") << name << " at " << at;
    }
    folder_.write(name, bytes.substr(0, bytes.size() / 2));
    EXPECT_NE(problem_with(folder_), "") << name;
    std::filesystem::remove(folder_.path() / name);
    EXPECT_NE(problem_with(folder_), "") << name;
    folder_.write(name, bytes);
  }
  EXPECT_EQ(problem_with(folder_), "");
}

// Gives the manifest the checksums that it should have.
void correct_checksums(const TemporaryFolder& folder) {
  using Json = nlohmann::ordered_json;
  const auto sum = [](const std::string& text) {
    return fmt::format("{:016x}", dd::checksum(text.data(), text.size()));
  };
  Json manifest = Json::parse(folder.read("manifest.json"));
  manifest.erase("checksum");
  manifest["description.json_checksum"] = sum(folder.read("description.json"));
  manifest["checksum"] = sum(manifest.dump(1) + "\n");
  folder.write("manifest.json", manifest.dump(1) + "\n");
}

TEST_F(Planted, TextsOfAnotherFormAreDamage) {
  const std::vector<std::tuple<std::string, std::string, std::string>> edits = {
      {"description.json", "/outcomes/0", "[100]"},
      {"description.json", "/outcomes/1", "[100,0,0]"},
      {"description.json", "/outcomes/0", "\"100\""},
      {"description.json", "/outcomes", "[]"},
      {"description.json", "/model", "\"envy\""},
      {"description.json", "/engine", "\"steam\""},
      {"description.json", "/algorithm", "\"guess\""},
      {"description.json", "/layers", "\"many\""},
      {"description.json", "/roles", "[]"},
      {"description.json", "/variables/0", "[]"},
      {"description.json", "/distances", "false"},
      {"description.json", "/more", "1"},
      {"manifest.json", "/layers", "[]"},
      {"manifest.json", "/layers/1/by_value", "[]"},
      {"manifest.json", "/layers/1/by_value/0", "\"many\""},
      {"manifest.json", "/layers/1/states", "\"\""},
      {"manifest.json", "/layers/1/terminal", "\"-1\""},
      {"manifest.json", "/layers/1/values_checksum", "\"12\""}};
  for (const auto& [name, place, value] : edits) {
    const std::string before = folder_.read(name), manifest = folder_.read("manifest.json");
    using Json = nlohmann::ordered_json;
    Json json = Json::parse(before);
    json[Json::json_pointer(place)] = Json::parse(value);
    folder_.write(name, json.dump(1) + "\n");
    correct_checksums(folder_);
    const auto read = folder_.folder().manifest();
    EXPECT_FALSE(read) << place << " " << value;
    if (!read) {
      EXPECT_EQ(read.error().kind, base::ErrorKind::unreadable_input);
      EXPECT_NE(read.error().message.find("' is damaged"), std::string::npos)
          << place << ": " << read.error().message;
    }
    folder_.write(name, before);
    folder_.write("manifest.json", manifest);
  }
  EXPECT_EQ(problem_with(folder_), "");
}

TEST_F(Planted, FilesOfAnotherLayerAreFound) {
  const std::string third = folder_.read("layer-0003.values");
  folder_.write("layer-0003.values", folder_.read("layer-0002.values"));
  EXPECT_NE(problem_with(folder_), "");
  folder_.write("layer-0003.values", third);
}

TEST_F(Planted, ExchangedFilesAreReadErrors) {
  const std::string first = folder_.read("layer-0000.values");
  std::string other = "layer-0001.values";
  while (folder_.read(other) == first) ++other[9];
  folder_.write("layer-0000.values", folder_.read(other));
  folder_.write(other, first);
  auto solution = SolutionReader::open(folder_.path());
  ASSERT_TRUE(solution);
  const auto initial = machine::Stepper(solution->machine()).initial_state();
  const auto value = solution->value(initial, 0);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind, base::ErrorKind::unreadable_input);
  EXPECT_NE(value.error().message.find("not the file of the manifest"), std::string::npos);
}

TEST_F(Planted, SpecialFilesAreReadErrors) {
  for (const char* name : {"manifest.json", "description.json", "rules.kif", "layer-0000.states"}) {
    const std::filesystem::path path = folder_.path() / name;
    const std::string before = folder_.read(name);
    std::filesystem::remove(path);
    for (const bool is_pipe : {true, false}) {
      ASSERT_EQ(is_pipe ? ::mkfifo(path.c_str(), 0666) : ::mkdir(path.c_str(), 0777), 0);
      auto solution = SolutionReader::open(folder_.path());
      if (solution) {
        const auto initial = machine::Stepper(solution->machine()).initial_state();
        const auto value = solution->value(initial, 0);
        ASSERT_FALSE(value) << name;
        EXPECT_EQ(value.error().kind, base::ErrorKind::unreadable_input);
      } else {
        EXPECT_EQ(solution.error().kind, base::ErrorKind::unreadable_input);
      }
      EXPECT_NE(problem_with(folder_), "") << name;
      std::filesystem::remove(path);
    }
    folder_.write(name, before);
  }
  EXPECT_EQ(problem_with(folder_), "");
}

TEST(Folder, SamplesAreSeededAndStated) {
  const TemporaryFolder folder;
  store_in(folder, solved(shipped("tic_tac_toe")));
  VerifyOptions options;
  options.exhaustive_up_to = 1000;
  options.sample = 1000;
  const auto verification = verify(folder.path(), options);
  ASSERT_TRUE(verification);
  EXPECT_TRUE(verification->ok());
  EXPECT_FALSE(verification->exhaustive);
  EXPECT_EQ(verification->states, "5478");
  EXPECT_GE(verification->states_checked, 1000u);
  EXPECT_LE(verification->states_checked, 2100u);
}

TEST(Folder, OpensWithAMachineThatIsCompiledAlready) {
  const MachinePointer machine = generated("clobber", {"2", "3", "tokens"});
  const ExplicitSolution solution = solved(machine);
  const TemporaryFolder folder;
  store_in(folder, solution);
  auto compiled = SolutionReader::open(folder.path());
  auto given = SolutionReader::open(folder.path(), machine);
  ASSERT_TRUE(compiled);
  ASSERT_TRUE(given) << given.error().message;
  EXPECT_EQ(given->machine(), machine);
  const auto expected = compiled->position(solution.initial(), 0);
  const auto found = given->position(solution.initial(), 0);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->value.rewards, expected->value.rewards);
  ASSERT_EQ(found->moves.size(), expected->moves.size());
  for (std::size_t i = 0; i < found->moves.size(); ++i) {
    EXPECT_EQ(machine->move_name(found->moves[i].move),
              compiled->machine()->move_name(expected->moves[i].move));
    EXPECT_EQ(found->moves[i].rewards, expected->moves[i].rewards);
  }
}

// Nobody has a choice at first: one role moves, the other waits, by a move that nothing asks for.
TEST(Folder, WhoseTurnItIsDoesNotDependOnWhoAnswers) {
  for (const std::string wait : {"noop", "wait"}) {
    const MachinePointer machine = from_text(R"(
      (role a) (role b) (init start)
      (<= (legal b (put x)) (true start))
      (<= (legal a )" + wait + R"() (true start))
      (<= (next (cell x)) (does b (put x)))
      (<= terminal (true (cell x))) (goal a 100) (goal b 0)
    )");
    const ExplicitSolution solution = solved(machine);
    const TemporaryFolder folder;
    store_in(folder, solution);
    auto stored = SolutionReader::open(folder.path());
    ASSERT_TRUE(stored);
    const auto position = stored->position(solution.initial(), 0);
    ASSERT_TRUE(position);
    EXPECT_EQ(position->turn, 1u);
    const auto moves = solution.moves(solution.initial());
    ASSERT_EQ(moves.size(), 1u);
    EXPECT_EQ(moves[0].role, 1u);
    EXPECT_EQ(moves[0].move, position->moves.at(0).move);
  }
}

TEST(Folder, LimitsAreAskedBeforeAnythingIsWritten) {
  const ExplicitSolution solution = solved(shipped("nim"));
  const TemporaryFolder folder;
  base::Limits limits;
  limits.end_when([] { return true; });
  const auto stored = store(solution, folder.folder(), {true, limits});
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, base::ErrorKind::time_limit);
  EXPECT_FALSE(std::filesystem::exists(folder.path()));
}

TEST(Folder, AnInterruptedOneIsCompletedToTheSameBytes) {
  const ExplicitSolution solution = solved(generated("clobber", {"2", "3"}));
  const TemporaryFolder folder;
  store_in(folder, solution);
  const auto whole = folder.files();
  for (const auto& [name, bytes] : whole) {
    std::filesystem::remove(folder.path() / name);
    std::filesystem::remove(folder.path() / "manifest.json");
    folder.write(name + ".part", "half");
    if (name == "rules.kif") std::filesystem::remove_all(folder.path());
    store_in(folder, solution);
    EXPECT_EQ(folder.files(), whole) << name;
  }
}

TEST(Folder, WhatARunLeavesThatWasKilledIsTakenUp) {
  const ExplicitSolution solution = solved(shipped("nim"));
  const TemporaryFolder expected, folder;
  store_in(expected, solution);
  std::filesystem::create_directories(folder.path());
  folder.write("rules.kif.part", "before there was anything else");
  store_in(folder, solution);
  EXPECT_EQ(folder.files(), expected.files());
  folder.write("progress.json", "after the manifest was written");
  store_in(folder, solution);
  EXPECT_EQ(folder.files(), expected.files());
  for (const char* gone : {"description.json", "manifest.json"}) {
    std::filesystem::remove(folder.path() / gone);
  }
  folder.write("layer-0099.states", "while another run's files were cleared away");
  store_in(folder, solution);
  EXPECT_EQ(folder.files(), expected.files());
}

TEST(Folder, FinishingEndsAtALimit) {
  const TemporaryFolder folder;
  store_in(folder, solved(shipped("nim")));
  base::Limits limits;
  limits.end_when([] { return true; });
  const auto manifest = folder.folder().manifest();
  std::filesystem::remove(folder.path() / "manifest.json");
  const auto finished = folder.folder().finish(*manifest, limits);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().kind, base::ErrorKind::time_limit);
  EXPECT_FALSE(folder.folder().finished());
}

TEST(Folder, AnotherFileIsLeftAlone) {
  const ExplicitSolution solution = solved(generated("nim", {"1", "2"}));
  const TemporaryFolder folder;
  store_in(folder, solution);
  folder.write("layer-cake.txt", "eggs");
  const SolutionFolder claimed = folder.folder();
  ASSERT_TRUE(claimed.claim(*solution.machine().game().rulesheet));
  claimed.clear();
  EXPECT_EQ(folder.files().size(), 1u);
  EXPECT_EQ(folder.read("layer-cake.txt"), "eggs");
}

TEST(Folder, WhatIsMissingIsSaid) {
  const TemporaryFolder folder;
  store_in(folder, solved(shipped("nim")));
  const std::string manifest = folder.read("manifest.json");
  std::filesystem::remove(folder.path() / "layer-0001.values");
  const auto lost = folder.folder().manifest();
  ASSERT_FALSE(lost);
  EXPECT_NE(lost.error().message.find("layer-0001.values' is missing"), std::string::npos);
  std::filesystem::remove(folder.path() / "manifest.json");
  const auto unfinished = folder.folder().manifest();
  ASSERT_FALSE(unfinished);
  EXPECT_NE(unfinished.error().message.find("not finished"), std::string::npos);
  store_in(folder, solved(shipped("nim")));
  EXPECT_EQ(folder.read("manifest.json"), manifest);
}

TEST(Folder, TwoRunsGiveTheSameBytes) {
  const TemporaryFolder first, second;
  store_in(first, solved(shipped("nim")));
  store_in(second, solved(shipped("nim")));
  EXPECT_EQ(first.files(), second.files());
}

TEST(Folder, AnotherGamesFolderIsRefused) {
  const TemporaryFolder folder;
  store_in(folder, solved(generated("nim", {"1", "2"})));
  const auto before = folder.files();
  const auto other = store(solved(generated("nim", {"1", "3"})), folder.folder(), {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, base::ErrorKind::not_applicable);
  const auto without = store(solved(generated("nim", {"1", "2"})), folder.folder(), {false, {}});
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("other options"), std::string::npos);
  EXPECT_EQ(folder.files(), before);
}

TEST(Folder, AFolderOfOtherFilesIsRefused) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path());
  folder.write("letter.txt", "dear");
  const auto stored = store(solved(generated("nim", {"1", "2"})), folder.folder(), {});
  ASSERT_FALSE(stored);
  EXPECT_EQ(stored.error().kind, base::ErrorKind::not_applicable);
  EXPECT_EQ(folder.files().size(), 1u);
}

// No file may grow beyond some bytes, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST(Folder, AFullDiskIsAnErrorThatLosesNothing) {
  const ExplicitSolution solution = solved(generated("clobber", {"2", "3"}));
  const TemporaryFolder folder, expected;
  store_in(expected, solution);
  std::size_t failed = 0;
  for (const rlim_t bytes : {100, 400, 800, 1200, 1600, 2400}) {
    const FileSizeLimit limit(bytes);
    const auto stored = store(solution, folder.folder(), {});
    if (stored) continue;
    ++failed;
    EXPECT_EQ(stored.error().kind, base::ErrorKind::unwritable_output);
    EXPECT_FALSE(verify(folder.path()));
    for (const auto& [name, content] : folder.files()) {
      EXPECT_EQ(content, expected.read(name)) << name;
    }
  }
  EXPECT_GE(failed, 3u);
  store_in(folder, solution);
  EXPECT_EQ(folder.files(), expected.files());
}

}  // namespace
}  // namespace zermelo::solve
