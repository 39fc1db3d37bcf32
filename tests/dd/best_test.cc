#include "dd/best.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "dd/connect_four.h"
#include "dd/random_diagrams.h"
#include "dd/single_moves.h"

namespace zermelo::dd {
namespace {

// A random layered game as a table: states with classes, a relation, and values of the successors.
struct RandomStep {
  static constexpr NodeId outcomes = 4;

  explicit RandomStep(unsigned seed) : random(seed), domains(random_domains(random, 4, 3)) {
    for (unsigned i = 0; i < 8; ++i) cases.push_back(random_move());
    relation = Relation::of_cases(domains, cases);
    assignments = all_assignments(domains);
    classes = random_table(random, domains, outcomes + 3, 12);
    next = random_table(random, domains, outcomes, 12);
    for (NodeId& value : next) ++value;
    for (std::size_t a = 0; a < classes.size(); ++a) {
      if (classes[a] > outcomes && successors(a).empty()) classes[a] = 1 + random.below(outcomes);
    }
    for (NodeId m = 0; m < 2; ++m) {
      std::vector<NodeId> order(outcomes);
      std::iota(order.begin(), order.end(), 1);
      for (NodeId i = outcomes; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
      movers.push_back({outcomes + 1 + m, order});
    }
  }

  Case random_move() {
    Case result;
    for (std::size_t v = 0; v < domains.size(); ++v) {
      if (random.below(2) == 0) continue;
      result.touched.push_back({v, {random.below(domains[v])}, random.below(domains[v])});
    }
    return result;
  }

  std::vector<std::size_t> successors(std::size_t a) const {
    std::vector<std::size_t> result;
    for (const Case& c : cases) {
      std::vector<Value> to = assignments[a];
      bool possible = true;
      for (const Case::Touch& touch : c.touched) {
        possible = possible && assignments[a][touch.variable] == touch.allowed[0];
        to[touch.variable] = *touch.next;
      }
      if (!possible) continue;
      const auto found = std::lower_bound(assignments.begin(), assignments.end(), to);
      result.push_back(static_cast<std::size_t>(found - assignments.begin()));
    }
    return result;
  }

  NodeId value(std::size_t a) const {
    if (classes[a] <= outcomes) return classes[a];
    const std::vector<NodeId>& order = movers[classes[a] - outcomes - 1].order;
    const auto rank = [&](NodeId outcome) {
      return std::find(order.begin(), order.end(), outcome) - order.begin();
    };
    NodeId best = order.back();
    for (const std::size_t b : successors(a)) {
      if (rank(next[b]) < rank(best)) best = next[b];
    }
    return best;
  }

  BestQuery query() const {
    return {outcomes,
            diagram_of(domains, outcomes + 3, classes),
            diagram_of(domains, outcomes + 1, next),
            *relation,
            movers,
            true};
  }

  base::Random random;
  Domains domains;
  std::vector<Case> cases;
  base::Result<Relation> relation = base::fail(base::ErrorKind::not_applicable, "");
  std::vector<std::vector<Value>> assignments;
  std::vector<NodeId> classes, next;
  std::vector<Mover> movers;
};

void expect_values(const RandomStep& step, const BestResult& result) {
  std::vector<mpz_class> counts(RandomStep::outcomes + 1);
  for (std::size_t a = 0; a < step.assignments.size(); ++a) {
    if (step.classes[a] == 0) continue;
    EXPECT_EQ(result.values.evaluate(step.assignments[a]), step.value(a));
    ++counts[step.value(a)];
  }
  EXPECT_EQ(result.counts, counts);
}

TEST(BestOverSuccessors, AgreesWithTheDefinition) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const RandomStep step(seed);
    const auto result = best_over_successors(step.query());
    ASSERT_TRUE(result);
    expect_values(step, *result);
  }
}

TEST(BestOverSuccessors, BlocksDoNotChangeTheResult) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const RandomStep step(seed);
    Options options;
    options.longest_tuple = 3;
    const auto whole = best_over_successors(step.query());
    const auto blocks = best_over_successors(step.query(), options);
    ASSERT_TRUE(whole);
    ASSERT_TRUE(blocks) << blocks.error().message;
    expect_values(step, *blocks);
    EXPECT_EQ(blocks->values, whole->values);
  }
}

// The only move copies the second half to the first, so tuples have 256 pairs between them.
TEST(BestOverSuccessors, ASingleMoveIsNotSplit) {
  constexpr NodeId outcomes = 2, not_terminal = 3;
  SingleMoves moves(8);
  const Diagram next = *relabel(moves.last_is_one(), {2, 1}, outcomes + 1);
  const Diagram states = Diagram::constant(moves.domains(), not_terminal + 1, not_terminal);
  Options options;
  options.longest_tuple = 100;
  const auto best = best_over_successors(
      {outcomes, states, next, moves.copying(), {{not_terminal, {1, 2}}}, true}, options);
  ASSERT_TRUE(best) << best.error().message;
  EXPECT_EQ(best->values, next);
  EXPECT_EQ(best->counts, (std::vector<mpz_class>{0, 1 << 15, 1 << 15}));
}

TEST(ConnectFour, CountsKnownBoards) {
  const std::pair<std::pair<int, int>, int> boards[] = {
      {{4, 4}, 161029}, {{4, 5}, 1706255}, {{5, 4}, 3945711}};
  for (const auto& [size, states] : boards) {
    const ConnectFour game(size.first, size.second);
    const Relation relation = *Relation::of_cases(game.domains(), game.cases());
    EXPECT_EQ(ConnectFour::count(*game.layers(relation)), states);
  }
}

// The value of a state by memoised search: shares only the rules with the diagrams.
class Search {
 public:
  Search(const ConnectFour& game) : game_(game), cases_(game.cases()) {
    for (Value player = 0; player < 2; ++player) {
      won_.push_back(game.classes(player, false));
    }
  }

  NodeId value(const std::vector<Value>& state) {
    const auto known = values_.find(state);
    if (known != values_.end()) return known->second;
    return values_[state] = find(state);
  }

  const std::map<std::vector<Value>, NodeId>& values() const { return values_; }

 private:
  NodeId find(const std::vector<Value>& state) {
    const NodeId before = won_[1 - state[0]].evaluate(state);
    if (before != ConnectFour::not_terminal) return before;
    NodeId best = 0;
    for (const Case& c : cases_) {
      std::vector<Value> to = state;
      bool possible = true;
      for (const Case::Touch& touch : c.touched) {
        const Value at = state[touch.variable];
        possible = possible &&
                   std::find(touch.allowed.begin(), touch.allowed.end(), at) != touch.allowed.end();
        if (touch.next) to[touch.variable] = *touch.next;
      }
      if (!possible) continue;
      const NodeId outcome = value(to);
      const bool better = state[0] == 0 ? outcome < best : outcome > best;
      if (best == 0 || better) best = outcome;
    }
    return best == 0 ? ConnectFour::draw : best;
  }

  const ConnectFour& game_;
  std::vector<Case> cases_;
  std::vector<Diagram> won_;
  std::map<std::vector<Value>, NodeId> values_;
};

TEST(ConnectFour, ValuesEqualThoseOfSearch) {
  const ConnectFour game(4, 4);
  const Relation relation = *Relation::of_cases(game.domains(), game.cases());
  const auto layers = *game.layers(relation);
  const auto solved = *game.solve(layers, relation);
  Search search(game);
  search.value(std::vector<Value>(game.domains().size(), 0));
  EXPECT_EQ(search.values().size(), 161029u);
  for (const auto& [state, value] : search.values()) {
    const auto ply = static_cast<std::size_t>(
        std::count_if(state.begin() + 1, state.end(), [](Value v) { return v != 0; }));
    ASSERT_NE(layers[ply].evaluate(state), 0u);
    ASSERT_EQ(solved.values[ply].evaluate(state), value);
  }
}

TEST(ConnectFour, StronglySolves5x4) {
  const ConnectFour game(5, 4);
  const Relation relation = *Relation::of_cases(game.domains(), game.cases());
  const auto layers = *game.layers(relation);
  const auto solved = *game.solve(layers, relation);
  EXPECT_EQ(solved.won + solved.drawn + solved.lost, 3945711);
  EXPECT_EQ(solved.values[0].evaluate(std::vector<Value>(game.domains().size(), 0)),
            ConnectFour::draw);
}

}  // namespace
}  // namespace zermelo::dd
