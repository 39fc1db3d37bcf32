// Fluent graphs: the examples of the paper, and distances against exact ones.
#include "analysis/fluent_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/reachable.h"
#include "support/load_game.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using testing::MachinePointer;

class NamedDistances {
 public:
  explicit NamedDistances(MachinePointer machine)
      : machine_(std::move(machine)),
        graphs_(make_fluent_graphs(machine_).value()),
        by_name_(machine_->game().fluents_by_name()) {}

  // In the paper's graph, from a state in which only the given fluent holds.
  std::uint16_t between(const std::string& from, const std::string& to) const {
    machine::State state(machine_->game().fluents.size());
    state.set(by_name_.at(from));
    return FluentDistances({graphs_.data(), 1}, by_name_.at(to)).to_target(state);
  }
  // In all graphs, from the initial state.
  std::uint16_t from_start(const std::string& to) const {
    const machine::State initial = machine::Stepper(machine_).initial_state();
    return FluentDistances(graphs_, by_name_.at(to)).to_target(initial);
  }

 private:
  MachinePointer machine_;
  std::vector<FluentGraph> graphs_;
  std::unordered_map<std::string, Atom> by_name_;
};

// Figure 1 of the paper.
TEST(FluentGraph, ACellOfTicTacToeIsMarkedOnce) {
  const NamedDistances game(testing::shipped("tic_tac_toe"));
  EXPECT_EQ(game.between("(cell 3 1 b)", "(cell 3 1 b)"), 0);
  EXPECT_EQ(game.between("(cell 3 1 b)", "(cell 3 1 x)"), 1);
  EXPECT_EQ(game.between("(cell 3 1 o)", "(cell 3 1 x)"), FluentDistances::unreachable);
}

// Breakthrough with rules like those of the paper: only pawns are fluents, not empty cells.
MachinePointer pawns_only() {
  std::string rules = R"(
    (role white) (role black) (init (control white))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= (ahead white ?y ?z) (after ?y ?z)) (<= (ahead black ?z ?y) (after ?y ?z))
    (<= (aslant ?x ?z) (after ?x ?z)) (<= (aslant ?z ?x) (after ?x ?z))
    (<= (occupied ?x ?y) (true (cellholds ?x ?y ?p)))
    (<= (legal ?p (move ?x ?y ?x ?z)) (true (control ?p)) (true (cellholds ?x ?y ?p))
        (ahead ?p ?y ?z) (not (occupied ?x ?z)))
    (<= (legal ?p (move ?x ?y ?w ?z)) (true (control ?p)) (true (cellholds ?x ?y ?p))
        (ahead ?p ?y ?z) (aslant ?x ?w) (not (true (cellholds ?w ?z ?p))))
    (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
    (<= (touched ?x ?y) (does ?p (move ?x ?y ?w ?z)))
    (<= (touched ?w ?z) (does ?p (move ?x ?y ?w ?z)))
    (<= (next (cellholds ?w ?z ?p)) (does ?p (move ?x ?y ?w ?z)))
    (<= (next (cellholds ?x ?y ?p)) (true (cellholds ?x ?y ?p)) (not (touched ?x ?y)))
    (<= (won white) (true (cellholds ?x 8 white))) (<= (won black) (true (cellholds ?x 1 black)))
    (<= terminal (won ?p)) (<= (goal ?p 100) (won ?p)) (<= (goal ?p 0) (role ?p) (not (won ?p)))
  )";
  for (int i = 1; i <= 8; ++i) {
    if (i < 8) rules += fmt::format("(after {} {})", i, i + 1);
    for (const auto& [row, role] :
         {std::pair(1, "white"), {2, "white"}, {7, "black"}, {8, "black"}}) {
      rules += fmt::format("(init (cellholds {} {} {}))", i, row, role);
    }
  }
  return testing::from_text(rules);
}

// Figure 5: a pawn needs a move for each row, moves one column at most, and never returns.
TEST(FluentGraph, PawnsOfBreakthroughAdvance) {
  const NamedDistances game(pawns_only());
  EXPECT_EQ(game.between("(cellholds 4 2 white)", "(cellholds 4 8 white)"), 6);
  EXPECT_EQ(game.between("(cellholds 4 2 white)", "(cellholds 8 8 white)"), 6);
  EXPECT_EQ(game.between("(cellholds 1 6 white)", "(cellholds 3 8 white)"), 2);
  EXPECT_EQ(game.between("(cellholds 1 6 white)", "(cellholds 4 8 white)"),
            FluentDistances::unreachable);
  EXPECT_EQ(game.between("(cellholds 4 3 white)", "(cellholds 4 2 white)"),
            FluentDistances::unreachable);
  EXPECT_EQ(game.between("(cellholds 4 7 black)", "(cellholds 4 1 black)"), 6);
}

// With fluents for empty cells the paper's order prefers these; the other graphs do not.
TEST(FluentGraph, EmptyCellsDoNotHideThePawns) {
  const NamedDistances game(testing::shipped("breakthrough"));
  EXPECT_EQ(game.from_start("(cell 4 8 white)"), 6);
  EXPECT_EQ(game.from_start("(cell 1 8 white)"), 6);
  EXPECT_EQ(game.from_start("(cell 4 1 black)"), 7);  // white moves first
}

TEST(FluentGraph, Similarity) {
  const auto rules =
      testing::rulesheet("(cell 1 2 (pawn white)) (cell 1 3 (pawn white)) (row 1 2)");
  const auto term = [&](std::size_t i) { return rules->clauses[i].head; };
  EXPECT_EQ(similarity(term(0), term(0)), 3u);
  EXPECT_EQ(similarity(term(0), term(1)), 2u);
  EXPECT_EQ(similarity(term(0), term(2)), 0u);
}

using Graph = Reachable<machine::Stepper>;
constexpr std::uint32_t never = ~std::uint32_t{0};

// By state: the smallest number of moves until the fluent holds.
std::vector<std::uint32_t> exact_distances(const Graph& graph, Atom fluent) {
  std::vector<std::uint32_t> distance(graph.states.size(), never);
  for (std::size_t i = 0; i < graph.states.size(); ++i) {
    if (graph.states[i].test(fluent)) distance[i] = 0;
  }
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t i = graph.expanded(); i-- > 0;) {
      for (auto e = graph.first_edge[i]; e < graph.first_edge[i + 1]; ++e) {
        const std::uint32_t next = distance[graph.edges[e]];
        if (next == never || next + 1 >= distance[i]) continue;
        distance[i] = next + 1;
        changes = true;
      }
    }
  }
  return distance;
}

// Returns the number of pairs of a state and a fluent whose distance is exact and not 0.
std::size_t expect_lower_bounds(const MachinePointer& machine, std::size_t max_states) {
  machine::Stepper stepper(machine);
  ReachableLimits limits;
  limits.max_states = max_states;
  const Graph graph = enumerate(stepper, limits);
  if (!graph.complete) return 0;
  const std::vector<FluentGraph> graphs = make_fluent_graphs(machine).value();
  std::size_t exact = 0, too_long = 0;
  for (Atom fluent = 0; fluent < machine->game().fluents.size(); ++fluent) {
    const FluentDistances distances(graphs, fluent);
    const std::vector<std::uint32_t> truth = exact_distances(graph, fluent);
    for (std::size_t i = 0; i < graph.states.size(); ++i) {
      const std::uint16_t bound = distances.to_target(graph.states[i]);
      if (bound > truth[i] || (bound == FluentDistances::unreachable && truth[i] != never))
        ++too_long;
      if (bound != 0 && bound == truth[i]) ++exact;
      EXPECT_TRUE(bound == FluentDistances::unreachable || bound <= distances.longest());
    }
  }
  EXPECT_EQ(too_long, 0u);
  return exact;
}

TEST(FluentGraph, DistancesAreLowerBounds) {
  for (const char* game : {"tic_tac_toe", "nim", "blocks_world", "two_graphs"}) {
    SCOPED_TRACE(game);
    EXPECT_GT(expect_lower_bounds(testing::shipped(game), 10'000), 0u);
  }
  EXPECT_GT(expect_lower_bounds(testing::generated("breakthrough", {"2", "5"}), 50'000), 0u);
}

TEST(FluentGraph, DistancesAreLowerBoundsInRandomGames) {
  std::size_t exact = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    exact += expect_lower_bounds(testing::from_text(testing::random_game(seed)), 2'000);
  }
  EXPECT_GT(exact, 1'000u);
}

TEST(FluentGraph, StopsAtALimit) {
  const MachinePointer machine = testing::shipped("checkers");
  const auto graph = make_fluent_graph(machine->game(), FluentGraphOrder::fewest_edges,
                                       base::Limits(std::chrono::duration<double>(0), {}));
  ASSERT_FALSE(graph.has_value());
  EXPECT_EQ(graph.error().kind, base::ErrorKind::time_limit);
}

}  // namespace
}  // namespace zermelo::analysis
