// What the checker finds beyond single wrong values: values that agree with each other and are
// wrong, and what it must not call wrong.
#include "solve/verify/verify.h"

#include <algorithm>

#include "base/random.h"
#include "dd/file.h"
#include "dd/operations.h"
#include "solve/graph_games.h"
#include "solve/stored_game.h"
#include "solve/symbolic/layered_solver.h"
#include "solve/symbolic/set_solver.h"

namespace zermelo::solve {
namespace {

using Part = SolutionFolder::Part;

// What verify says of a solution with these values.
std::string problem_with_values(const MachinePointer& machine, std::vector<Outcome> values,
                                bool cyclic, bool distances) {
  const TemporaryFolder folder;
  auto graph = explore(machine, {});
  store_in(folder,
           ExplicitSolution(machine, OpponentModel::own, std::move(graph.value()),
                            GraphValues{std::move(values), cyclic}),
           distances);
  return problem_with(folder);
}

// The number of the state with one fluent.
StateIndex state_with(const ExplicitSolution& solution, const std::string& fluent) {
  const ground::Game& game = solution.machine().game();
  machine::State state(game.fluents.size());
  state.set(game.fluents_by_name().at(fluent));
  return solution.graph().states.find(state.words()).value();
}

// s may end with 100 or go to a; from there b is reached, which goes back to a or ends with 0.
Graph promising_cycle() {
  return {1, {{1, 3}, {2}, {1, 4}, {}, {}}, {0, 0, 0, 0, 0}, {0, 0, 0, 100, 0}};
}

TEST(Verify, APromiseThatIsNeverKeptIsFound) {
  const MachinePointer machine = from_text(rules_of(promising_cycle()));
  const ExplicitSolution solution = solved(machine);
  std::vector<Outcome> values = solution.values().values;
  EXPECT_EQ(problem_with_values(machine, values, true, true), "");
  for (const char* node : {"(at n1)", "(at n2)"}) values[state_with(solution, node)] = values[0];
  for (const bool distances : {true, false}) {
    const std::string problem = problem_with_values(machine, values, true, distances);
    EXPECT_NE(problem.find("the value is 100, but play can continue forever"), std::string::npos)
        << problem;
  }
}

// How much the mover likes an outcome; endless play is even for two.
double liking(const GameGraph& graph, Outcome outcome, std::size_t mover, bool endless_is_even) {
  if (outcome != unknown_outcome) return graph.outcomes[outcome][mover];
  return endless_is_even ? 49.5 : -1;
}

// Values that agree with those of the best successors, from random ones on; nothing if they never
// do.
std::vector<Outcome> agreeing_values(const GameGraph& graph, base::Random& random, bool two) {
  const auto outcomes = static_cast<std::uint32_t>(graph.outcomes.size());
  std::vector<Outcome> values = graph.terminal;
  for (Outcome& value : values) {
    const std::uint32_t drawn = random.below(outcomes + 1);
    if (value == unknown_outcome && drawn < outcomes) value = drawn;
  }
  for (std::size_t round = 0; round < 100; ++round) {
    bool changed = false;
    for (StateIndex s = graph.size(); s-- > 0;) {
      const auto next = graph.successors(s);
      if (next.empty()) continue;
      const std::size_t mover = graph.movers[s] == nobody ? 0 : graph.movers[s];
      const auto best = std::max_element(next.begin(), next.end(), [&](auto a, auto b) {
        return liking(graph, values[a], mover, two) < liking(graph, values[b], mover, two);
      });
      changed = changed || values[s] != values[*best];
      values[s] = values[*best];
    }
    if (!changed) return values;
  }
  return {};
}

// With a third role that never decides and always gets the most, so that everybody delays.
std::string with_a_witness(const Graph& graph) {
  std::string rules = rules_of(graph) + "(role witness)\n";
  for (std::size_t n = 0; n < graph.edges.size(); ++n) {
    if (graph.edges[n].empty()) rules += "(reward n" + std::to_string(n) + " witness 100)\n";
  }
  return rules;
}

// Random games, with right values and with others that agree.
void find_wrong_values(std::size_t deciding, bool witness) {
  std::size_t wrong = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const Graph nodes = random_graph(seed, deciding);
    const MachinePointer machine = from_text(witness ? with_a_witness(nodes) : rules_of(nodes));
    const ExplicitSolution solution = solved(machine);
    const GameGraph& graph = solution.graph();
    const auto decides = [&](std::size_t role) {
      return std::find(graph.movers.begin(), graph.movers.end(), role) != graph.movers.end();
    };
    const bool endless_is_even = deciding == 2 && (!witness || (decides(0) && decides(1)));
    base::Random random(seed);
    for (std::size_t attempt = 0; attempt < 4; ++attempt) {
      const auto values = agreeing_values(graph, random, endless_is_even);
      if (values.empty()) continue;
      const std::string problem =
          problem_with_values(machine, values, solution.cyclic(), attempt % 2 == 0);
      EXPECT_EQ(problem.empty(), values == solution.values().values)
          << "seed " << seed << ": " << problem << "\n"
          << rules_of(nodes);
      wrong += values != solution.values().values;
    }
    EXPECT_EQ(problem_with_values(machine, solution.values().values, solution.cyclic(), true), "")
        << "seed " << seed;
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(wrong, 20u);
}

TEST(Verify, WrongValuesThatAgreeAreFound) {
  find_wrong_values(1, false);
  find_wrong_values(2, false);
}

TEST(Verify, WrongValuesThatAgreeAreFoundBesideARoleThatNeverDecides) {
  find_wrong_values(1, true);
  find_wrong_values(2, true);
}

// a and b in turn stay or resign; c waits.
constexpr const char* three_roles = R"(
  (role a) (role b) (role c) (init (turn a))
  (other a b) (other b a)
  (<= (legal ?r stay) (true (turn ?r)))
  (<= (legal ?r resign) (true (turn ?r)))
  (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
  (<= (next (turn ?q)) (does ?r stay) (other ?r ?q))
  (<= (next (lost ?r)) (does ?r resign))
  (<= terminal (true (lost ?_r)))
  (<= (goal ?r 0) (true (lost ?r)))
  (<= (goal ?q 100) (true (lost ?r)) (other ?r ?q))
  (goal c 50)
)";

TEST(Verify, EndlessPlayIsEvenForTwoThatDecideAmongThree) {
  const MachinePointer machine = from_text(three_roles);
  const TemporaryFolder explicit_one, symbolic_one;
  const ExplicitSolution solution = solved(machine);
  EXPECT_TRUE(solution.value().empty());
  store_in(explicit_one, solution);
  EXPECT_EQ(problem_with(explicit_one), "");
  ASSERT_TRUE(solve_by_sets(machine, symbolic_one.folder(), Algorithm::retrograde, {}));
  EXPECT_EQ(problem_with(symbolic_one), "");
  VerifyOptions sample;
  sample.exhaustive_up_to = 0;
  EXPECT_TRUE(verify(explicit_one.path(), sample)->ok());
}

TEST(Verify, EndlessPlayHasNoDistance) {
  const TemporaryFolder folder;
  store_in(folder, solved(from_text(three_roles)));
  auto manifest = folder.folder().manifest();
  const auto distances = dd::load(folder.folder().file(Part::distances, 0));
  std::vector<dd::NodeId> table(distances->constants(), 5);
  ASSERT_TRUE(folder.folder().save(Part::distances, 0,
                                   *dd::relabel(*distances, table, distances->constants())));
  manifest->layers[0].distances_checksum = 0;  // to be found anew
  ASSERT_TRUE(folder.folder().finish(*manifest));
  EXPECT_NE(problem_with(folder).find("endless play has a distance"), std::string::npos);
}

TEST(Verify, WhetherStatesOccurAgainIsChecked) {
  const TemporaryFolder folder, layered;
  store_in(folder, solved(shipped("nim")));
  ASSERT_TRUE(solve_layered(shipped("nim"), layered.folder(), {}));
  for (const TemporaryFolder* each : {&folder, &layered}) {
    auto manifest = each->folder().manifest();
    EXPECT_EQ(problem_with(*each), "");
    manifest->cyclic = true;
    ASSERT_TRUE(each->folder().finish(*manifest));
    EXPECT_NE(problem_with(*each).find("cannot repeat"), std::string::npos);
  }
}

TEST(Verify, ASampleComparesAllCounts) {
  const TemporaryFolder folder;
  store_in(folder, solved(shipped("tic_tac_toe")));
  auto manifest = folder.folder().manifest();
  std::swap(manifest->layers[6].by_value[0], manifest->layers[6].by_value[1]);
  ASSERT_TRUE(folder.folder().finish(*manifest));
  VerifyOptions options;
  options.exhaustive_up_to = 0;
  options.sample = 1;
  const auto verification = verify(folder.path(), options);
  ASSERT_TRUE(verification);
  EXPECT_EQ(verification->failures_found, 2u);
  EXPECT_NE(verification->failures[0].find("layer 6 has"), std::string::npos);
}

// Each lamp can be lit once; all are to be.
std::string lamps(std::size_t number) {
  std::string rules =
      "(role a) (<= (legal a (light ?l)) (lamp ?l) (not (true (lit ?l))))\n"
      "(<= (next (lit ?l)) (does a (light ?l))) (<= (next (lit ?l)) (true (lit ?l)))\n"
      "(<= dark (lamp ?l) (not (true (lit ?l)))) (<= terminal (not dark))\n"
      "(<= (goal a 100) (not dark)) (<= (goal a 0) dark)\n";
  for (std::size_t l = 0; l < number; ++l) rules += "(lamp " + std::to_string(l) + ")\n";
  return rules;
}

TEST(Verify, SamplesLayersOfAnySize) {
  const TemporaryFolder folder;
  ASSERT_TRUE(solve_layered(from_text(lamps(70)), folder.folder(), {}));
  VerifyOptions options;
  options.sample = 200;
  const auto verification = verify(folder.path(), options);
  ASSERT_TRUE(verification);
  EXPECT_EQ(verification->failures, std::vector<std::string>());
  EXPECT_EQ(verification->states, mpz_class(mpz_class(1) << 70).get_str());
  EXPECT_GE(verification->states_checked, 200u + 60 * 100);
}

}  // namespace
}  // namespace zermelo::solve
