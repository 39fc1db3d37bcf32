// Games in which states can occur again: a token moved on random graphs, beside value iteration.
#include <algorithm>

#include "solve/graph_games.h"
#include "solve/load_game.h"

namespace zermelo::solve {
namespace {

// How much the mover likes rewards. Endless play is worst for one alone; for two it is even, and a
// little less than an even end.
double liking(const Rewards& rewards, std::size_t mover) {
  if (!rewards.empty()) return rewards[mover];
  return -1;
}
double liking_of_two(const Rewards& rewards, std::size_t mover) {
  return rewards.empty() ? 49.5 : rewards[mover];
}

// Everything endless at first; then, often enough, each node takes what its mover likes best.
std::vector<Rewards> iterate(const Graph& graph) {
  const auto like = graph.roles == 1 ? liking : liking_of_two;
  std::vector<Rewards> values(graph.edges.size());
  for (std::size_t round = 0; round < 4 * graph.edges.size(); ++round) {
    std::vector<Rewards> next(graph.edges.size());
    for (std::size_t n = 0; n < graph.edges.size(); ++n) {
      if (graph.edges[n].empty()) {
        next[n] = rewards_at(graph, n);
        continue;
      }
      next[n] = values[graph.edges[n].front()];
      for (const std::size_t target : graph.edges[n]) {
        const std::size_t mover = graph.movers[n];
        if (like(values[target], mover) > like(next[n], mover)) next[n] = values[target];
      }
    }
    values = std::move(next);
  }
  return values;
}

struct Seen {
  std::size_t cyclic = 0, endless = 0, states = 0;
};

// Compares every state of the game with its node.
void compare(const Graph& graph, Seen& seen) {
  const ExplicitSolution solution = solved(from_text(rules_of(graph)));
  const std::vector<Rewards> expected = iterate(graph);
  EXPECT_EQ(solution.value(), expected[0]);
  const ground::Game& game = solution.machine().game();
  for (std::size_t f = 0; f < game.fluents.size(); ++f) {
    machine::State state(game.fluents.size());
    state.set(f);
    const auto value = solution.value(state);
    if (!value) continue;
    const std::string name = game.fluent_name(static_cast<ground::Atom>(f));  // (at n12)
    EXPECT_EQ(*value, expected[std::stoul(name.substr(5))]) << name;
    ++seen.states;
    seen.endless += value->empty();
  }
  seen.cyclic += solution.cyclic();
}

void compare_many(std::size_t roles) {
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Graph graph = random_graph(seed, roles);
    compare(graph, seen);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << "\n" << rules_of(graph);
  }
  EXPECT_GE(seen.cyclic, 100u);
  EXPECT_GE(seen.endless, 20u);
  EXPECT_GE(seen.states, 1000u);
}

TEST(Cycles, OnePlayer) { compare_many(1); }
TEST(Cycles, TwoOpposedPlayers) { compare_many(2); }

TEST(Cycles, MoreThanOpposedInterestsAreRefused) {
  const std::string rules = R"(
    (role a) (role b)
    (init (turn a))
    (<= (legal ?role stop) (true (turn ?role)))
    (<= (legal ?role pass) (true (turn ?role)))
    (<= (legal ?role noop) (role ?role) (not (true (turn ?role))))
    (<= (next (turn b)) (does a pass))
    (<= (next (turn a)) (does b pass))
    (<= (next (over ?role)) (does ?role stop))
    (<= terminal (true (over ?role)))
    (<= (goal ?role 50) (role ?role) (true (over a)))
    (<= (goal ?role 80) (role ?role) (true (over b)))
  )";
  const base::Error error = refusal(from_text(rules));
  EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(error.message.find("can repeat"), std::string::npos) << error.message;
}

TEST(Cycles, AGameWithoutEndIsEndless) {
  const ExplicitSolution solution = solved(from_text(R"(
    (role a) (init p)
    (<= (legal a go) (true p)) (<= (legal a stay) (true p)) (<= (legal a back) (true q))
    (<= (next q) (does a go)) (<= (next p) (does a back)) (<= (next p) (does a stay))
    (<= terminal (true p) (true q)) (goal a 100)
  )"));
  EXPECT_TRUE(solution.value().empty());
  EXPECT_TRUE(solution.cyclic());
  EXPECT_EQ(solution.by_value().size(), 1u);
}

}  // namespace
}  // namespace zermelo::solve
