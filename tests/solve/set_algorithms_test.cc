// The set algorithms beside the explicit solver, state by state, and the example of their paper.
#include "solve/symbolic/set_algorithms.h"

#include <map>
#include <set>

#include "solve/graph_games.h"
#include "solve/stored_game.h"
#include "solve/symbolic/layered_solver.h"
#include "solve/symbolic/set_solver.h"
#include "solve/turn_games.h"
#include "symbolic/variables.h"

namespace zermelo::solve {
namespace {

constexpr Algorithm all_algorithms[] = {Algorithm::retrograde, Algorithm::matrix,
                                        Algorithm::partition, Algorithm::zero_sum};
using Compared = std::map<Algorithm, std::size_t>;

SymbolicOptions options_for(OpponentModel model) {
  SymbolicOptions options;
  options.model = model;
  return options;
}

// Whether the algorithm applies; if so, all that it says is what the explicit one says.
bool agrees(const MachinePointer& machine, const ExplicitSolution& expected, Algorithm algorithm) {
  const TemporaryFolder folder;
  const auto done =
      solve_by_sets(machine, folder.folder(), algorithm, options_for(expected.model()));
  if (!done) {
    EXPECT_EQ(done.error().kind, base::ErrorKind::not_applicable) << done.error().message;
    return false;
  }
  auto stored = SolutionReader::open(folder.path());
  EXPECT_TRUE(stored);
  const GameGraph& graph = expected.graph();
  EXPECT_EQ(stored->manifest().cyclic, expected.cyclic());
  EXPECT_EQ(stored->manifest().layers.size(), graph.layers());
  machine::State state(machine->game().fluents.size());
  for (StateIndex s = 0; s < graph.size(); ++s) {
    std::copy(graph.states[s].begin(), graph.states[s].end(), state.words().begin());
    const auto value = stored->value(state, 0);
    EXPECT_TRUE(value);
    if (!value) return true;
    EXPECT_EQ(value->rewards, *expected.value(state)) << name_of(algorithm);
    EXPECT_EQ(value->decides.has_value(), graph.terminal[s] == unknown_outcome);
  }
  EXPECT_EQ(problem_with(folder), "");
  return true;
}

void compare(const MachinePointer& machine, OpponentModel model, Compared& compared) {
  const auto expected = solve_explicit(machine, {model, {}});
  if (!expected || expected->states() > 1000) return;
  for (const Algorithm algorithm : all_algorithms) {
    compared[algorithm] += agrees(machine, *expected, algorithm);
  }
}

TEST(SetAlgorithms, AgreeWithTheExplicitSolverOnFamilies) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> games = {
      {"nim", {"2", "3"}},
      {"chomp", {"3", "3"}},
      {"clobber", {"1", "6"}},
      {"clobber", {"2", "3", "tokens"}},
      {"peg", {"triangle", "4"}},
      {"queens", {"4"}},
      {"breakthrough", {"2", "4"}},
      {"connect-four", {"3", "2", "2"}},
      {"tic-tac-toe", {"3", "2", "2"}},
      {"lights-out", {"2", "2"}},
      {"hanoi", {"2", "3"}}};
  Compared compared;
  for (const auto& [family, sizes] : games) {
    compare(generated(family, sizes), OpponentModel::own, compared);
    compare(generated(family, sizes), OpponentModel::difference, compared);
    if (HasFailure()) FAIL() << family;
  }
  EXPECT_EQ(compared[Algorithm::retrograde], 2 * games.size());
  EXPECT_GE(compared[Algorithm::matrix], 8u);
  EXPECT_GE(compared[Algorithm::partition], 4u);
  EXPECT_GE(compared[Algorithm::zero_sum], 8u);
}

TEST(SetAlgorithms, AgreeWithTheExplicitSolverOnRandomGames) {
  Compared compared;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const MachinePointer machine = from_text(with_turns(testing::random_game(seed)));
    compare(machine, seed % 2 == 0 ? OpponentModel::own : OpponentModel::difference, compared);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
  EXPECT_GE(compared[Algorithm::retrograde], 15u);
  EXPECT_GE(compared[Algorithm::matrix], 3u);
  EXPECT_GE(compared[Algorithm::partition], 3u);
}

// Rewards of 0, 50 and 100 only, for the zero-sum algorithm.
Graph simplified(Graph graph) {
  for (int& reward : graph.rewards) reward = reward < 50 ? 0 : reward > 50 ? 100 : 50;
  return graph;
}

TEST(SetAlgorithms, AgreeWithTheExplicitSolverOnCyclicGames) {
  Compared compared;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Graph graph = random_graph(seed, 1 + seed % 2);
    compare(from_text(rules_of(graph)), OpponentModel::own, compared);
    compare(from_text(rules_of(simplified(graph))), OpponentModel::difference, compared);
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << rules_of(graph);
  }
  EXPECT_EQ(compared[Algorithm::retrograde], 120u);
  EXPECT_EQ(compared[Algorithm::partition], 60u);
  EXPECT_GE(compared[Algorithm::zero_sum], 30u);
}

TEST(SetAlgorithms, RefuseWhatTheyCannotSolve) {
  const auto message = [](const std::string& rules, Algorithm algorithm, bool distances) {
    const TemporaryFolder folder;
    SymbolicOptions options;
    options.distances = distances;
    const auto done = solve_by_sets(from_text(rules), folder.folder(), algorithm, options);
    return done ? "solved" : done.error().message;
  };
  const std::string nim = families::generate("nim", {"2", "3"}).value();
  EXPECT_NE(message(nim, Algorithm::partition, false).find("one role"), std::string::npos);
  EXPECT_NE(message(nim, Algorithm::matrix, true).find("no distances"), std::string::npos);
  EXPECT_EQ(message(nim, Algorithm::matrix, false), "solved");
  const std::string agreeing = R"(
    (role a) (role b) (init (at p a))
    (other a b) (other b a)
    (<= (legal ?r stay) (true (at ?_p ?r)))
    (<= (legal ?r stop) (true (at ?_p ?r)))
    (<= (legal ?r noop) (role ?r) (true (at ?_p ?q)) (other ?q ?r))
    (<= (next (at p ?q)) (does ?r stay) (other ?r ?q))
    (<= (next (over ?r)) (does ?r stop))
    (<= terminal (true (over ?_r)))
    (<= (goal ?r 100) (role ?r) (true (over a)))
    (<= (goal ?r 0) (role ?r) (true (over b)))
  )";
  EXPECT_NE(message(agreeing, Algorithm::retrograde, false).find("not always the worse"),
            std::string::npos);
  EXPECT_NE(message(agreeing, Algorithm::matrix, false).find("no state repeats"),
            std::string::npos);
}

TEST(SetAlgorithms, SimultaneousDecisionsAreRefusedInTheFirstLayerThatHasThem) {
  const TemporaryFolder folder;
  SymbolicOptions options;
  std::size_t layers = 0;
  options.progress = [&](const SymbolicProgress&) { ++layers; };
  const auto done = solve_by_sets(shipped("rock_paper_scissors"), folder.folder(),
                                  Algorithm::retrograde, options);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, base::ErrorKind::not_applicable);
  EXPECT_NE(done.error().message.find("(round 1)"), std::string::npos) << done.error().message;
  EXPECT_EQ(layers, 0u);
  EXPECT_TRUE(folder.files().empty());
}

TEST(SetAlgorithms, ABegunFolderKeepsItsVariables) {
  const MachinePointer machine = generated("nim", {"2", "3"});
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_by_sets(machine, folder.folder(), Algorithm::retrograde, {}));
  auto description = folder.folder().description();
  std::reverse(description->variables.begin(), description->variables.end());
  ASSERT_TRUE(folder.folder().describe(*description));
  std::filesystem::remove(folder.path() / "manifest.json");
  const auto done = solve_by_sets(machine, folder.folder(), Algorithm::retrograde, {});
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_EQ(*folder.folder().description(), *description);
  EXPECT_EQ(problem_with(folder), "");
}

TEST(SetAlgorithms, AFolderOfOthersIsRefusedBeforeTheWork) {
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(generated("nim", {"2", "3"}), folder.folder(), {}));
  SymbolicOptions options;
  options.progress = [&](const SymbolicProgress&) { ADD_FAILURE() << "a layer was looked for"; };
  for (const auto& machine : {generated("nim", {"2", "3"}), generated("nim", {"2", "4"})}) {
    const auto done = solve_by_sets(machine, folder.folder(), Algorithm::retrograde, options);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().kind, base::ErrorKind::not_applicable);
  }
}

// Clobber 1x6: a row of white and black tokens, and who moves.
std::string picture(const machine::State& state, const ground::Game& game) {
  std::string row = "------ ?";
  state.for_each([&](std::size_t f) {
    const std::string name = game.fluent_name(static_cast<ground::Atom>(f));
    if (name.rfind("(cell 1 ", 0) == 0) {
      const char token = name[10];
      row[name[8] - '1'] = token == 'e' ? '-' : token;
    }
    if (name == "(control white)") row[7] = 'W';
    if (name == "(control black)") row[7] = 'B';
  });
  return row;
}

using Pictures = std::set<std::string>;

Pictures pictures(const StateSpace& space, const StateSets& sets) {
  Pictures found;
  for (std::size_t p = 0; p < sets.size(); ++p) {
    sets[p].enumerate(1, [&](std::span<const dd::Value> assignment) {
      found.insert(
          picture(space.model().encoding().state(assignment, p), space.model().machine().game()));
      return true;
    });
  }
  return found;
}

Pictures operator+(Pictures a, const Pictures& b) {
  a.insert(b.begin(), b.end());
  return a;
}

Pictures operator-(Pictures a, const std::string& gone) {
  a.erase(gone);
  return a;
}

// Tables 2 to 7 of the paper, by run and step: the states won for white, for black.
TEST(SetAlgorithms, TheMatrixOfClobberIsThatOfThePaper) {
  const MachinePointer machine = generated("clobber", {"1", "6"});
  const auto model = symbolic::build_model(machine, symbolic::choose_variables(machine).ordered());
  ASSERT_TRUE(model);
  auto space = StateSpace::find(*model, {});
  ASSERT_TRUE(space);
  ASSERT_EQ(space->outcomes().size(), 2u);
  const std::size_t white = space->outcomes()[0] == Rewards{100, 0} ? 0 : 1;
  using Table = std::pair<Pictures, Pictures>;
  std::map<std::pair<std::size_t, std::size_t>, Table> seen;
  std::vector<std::size_t> restarts;  // after these steps
  const auto result = classify_by_matrix(*space, OpponentModel::own, [&](const MatrixStep& step) {
    seen[{step.run, step.step}] = {pictures(*space, step.buckets[white]),
                                   pictures(*space, step.buckets[1 - white])};
    if (step.duplicates) restarts.push_back(step.step);
  });
  ASSERT_TRUE(result) << result.error().message;
  const Pictures white_2 = {"b--w-w B", "w-w--b B"};
  const Pictures black_2 = {"b---w- W", "b-ww-b W", "-b---w W", "--w-b- W", "-w-b-- W",
                            "-ww-bb W", "w-bb-w W", "ww-bb- W", "ww--bb W"};
  const Pictures white_3 = white_2 + Pictures{"b--wwb W", "b-wb-w W", "w-bw-b W"};
  const Pictures white_4 = white_3 + Pictures{"wb-wwb B", "wbwb-w B", "wbww-b B"};
  const Pictures black_4 = black_2 + Pictures{"--w-wb B", "-wb--w B", "-w-wb- B", "-wwbwb B",
                                              "wb--w- B", "wbwb-w B", "wbww-b B", "ww-bwb B"};
  const Pictures white_5 = white_3 + Pictures{"wb-wwb B", "wbwbwb W"};
  const Pictures black_5 =
      black_4 + Pictures{"-wb-wb W", "-wwbb- W", "wbb--w W", "wb-wb- W", "wbwbwb W"};
  const Pictures black_6 = black_5 - "wbwbwb W" + Pictures{"wb-wwb B"};
  EXPECT_EQ(seen.at({0, 0}), Table(white_2, black_2));
  EXPECT_EQ(seen.at({0, 1}), Table(white_3, black_2));
  EXPECT_EQ(seen.at({0, 2}), Table(white_4, black_4));
  EXPECT_EQ(seen.at({1, 3}), Table(white_5, black_5));
  EXPECT_EQ(seen.at({3, 4}), Table(white_5, black_6));
  EXPECT_EQ(seen.rbegin()->second, Table(white_3, black_6 + Pictures{"wbwbwb W"}));
  EXPECT_EQ(restarts, (std::vector<std::size_t>{2, 3, 2, 4, 2}));
}

}  // namespace
}  // namespace zermelo::solve
