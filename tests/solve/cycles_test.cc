// Games in which states can occur again: a token moved on random graphs, beside value iteration.
#include <algorithm>

#include "base/random.h"
#include "solve/load_game.h"

namespace zermelo::solve {
namespace {

struct Graph {
  std::size_t roles = 1;
  std::vector<std::vector<std::size_t>> edges;  // by node; none where the game ends
  std::vector<std::size_t> movers;              // by node
  std::vector<int> rewards;                     // by node: of role 0
};

Graph random_graph(std::uint64_t seed, std::size_t roles) {
  base::Random random(seed);
  const std::uint32_t nodes = 4 + random.below(9);
  Graph graph;
  graph.roles = roles;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    graph.movers.push_back(random.below(static_cast<std::uint32_t>(roles)));
    graph.rewards.push_back(static_cast<int>(25 * random.below(5)));
    graph.edges.emplace_back();
    if (n > 0 && random.below(3) == 0) continue;
    for (std::uint32_t e = 0; e < 1 + random.below(3); ++e) {
      graph.edges.back().push_back(random.below(nodes));
    }
  }
  return graph;
}

Rewards rewards_at(const Graph& graph, std::size_t node) {
  if (graph.roles == 1) return {graph.rewards[node]};
  return {graph.rewards[node], 100 - graph.rewards[node]};
}

std::string rules_of(const Graph& graph) {
  std::string text = "(init (at n0))\n";
  for (std::size_t r = 0; r < graph.roles; ++r) {
    text += "(role r" + std::to_string(r) + ")\n";
  }
  for (std::size_t n = 0; n < graph.edges.size(); ++n) {
    const std::string node = "n" + std::to_string(n);
    const std::string mover = "r" + std::to_string(graph.movers[n]);
    text += "(node " + node + ") (mover " + node + " " + mover + ")\n";
    for (const std::size_t target : graph.edges[n]) {
      text += "(edge " + node + " n" + std::to_string(target) + ")\n";
    }
    if (!graph.edges[n].empty()) continue;
    text += "(end " + node + ")\n";
    const Rewards rewards = rewards_at(graph, n);
    for (std::size_t r = 0; r < graph.roles; ++r) {
      text +=
          "(reward " + node + " r" + std::to_string(r) + " " + std::to_string(rewards[r]) + ")\n";
    }
  }
  return text + R"(
    (<= (legal ?role (go ?to)) (true (at ?from)) (mover ?from ?role) (edge ?from ?to))
    (<= (legal ?role noop) (role ?role) (true (at ?from)) (not (mover ?from ?role)))
    (<= (next (at ?to)) (does ?role (go ?to)))
    (<= terminal (true (at ?node)) (end ?node))
    (<= (goal ?role ?reward) (true (at ?node)) (reward ?node ?role ?reward))
    (end nowhere) (edge nowhere nowhere) (reward nowhere nobody 0)
  )";
}

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
  EXPECT_NE(error.message.find("can occur again"), std::string::npos) << error.message;
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
