// Proofs of forced wins against the explicit solver and against plain recursion.
#include "search/proof_number.h"

#include <gtest/gtest.h>

#include "search/games.h"
#include "search/uct.h"
#include "solve/explicit/explicit_solver.h"

namespace zermelo::search {
namespace {

constexpr std::uint64_t enough = 200'000;

// Plays the winner's proved moves against random ones. Returns whether the role has won after at
// most that many joint moves.
bool converts(const Simulator& simulator, ProofNumberSearch& search, const State& state,
              std::size_t role, std::uint32_t moves, base::Random& random) {
  const auto walker = simulator.walker();
  walker->go_to(state);
  std::vector<Move> joint(simulator.roles().size());
  for (; !walker->terminal(); --moves) {
    if (moves == 0) return false;
    const ProofReport report = search.search(walker->state(), role, {enough});
    if (!report.win || report.win->distance > moves) return false;
    choose_at_random(*walker, random, joint);
    if (report.win->move) joint[role] = *report.win->move;
    walker->make(joint);
  }
  return walker->goal(role) == search.win_of(role)[role];
}

// Compares the answers with the solver's values in random states of a turn-taking game.
void expect_the_solvers_wins(const SimulatorPointer& simulator, int states, std::size_t depth,
                             std::size_t table_bytes = std::size_t{1} << 22) {
  const auto solution = solve::solve_explicit(simulator->machine(), {}).value();
  base::Random random(5);
  ProofNumberSearch search(simulator, {table_bytes});
  for (int i = 0; i < states; ++i) {
    const State state = random_state(*simulator, random.below(depth), random);
    for (std::size_t role = 0; role < simulator->roles().size(); ++role) {
      const ProofReport report = search.search(state, role, {enough});
      ASSERT_NE(report.win.has_value(), report.is_refuted);
      EXPECT_EQ(report.win.has_value(), solution.value(state) == search.win_of(role));
      if (!report.win) continue;
      EXPECT_TRUE(converts(*simulator, search, state, role, report.win->distance, random));
    }
  }
}

TEST(ProofNumberSearch, FindsTheSolversWins) {
  expect_the_solvers_wins(shipped("tic_tac_toe"), 40, 8);
  expect_the_solvers_wins(shipped("nim"), 40, 8);
  expect_the_solvers_wins(shipped("chomp"), 40, 6);
  expect_the_solvers_wins(generated("clobber", {"3", "4"}), 40, 6);
  expect_the_solvers_wins(generated("connect-four", {"4", "4"}), 40, 14);
}

// A game on a graph. Two players move a token in turn along edges, with many cycles. Some nodes end
// the game with a win, a loss or a draw.
std::string random_graph_game(std::uint64_t seed) {
  base::Random random(seed);
  constexpr std::uint32_t nodes = 24;
  std::string rules = R"(
    (role a) (role b) (init (at 0)) (init (turn a)) (other a b) (other b a)
    (<= (legal ?r (go ?y)) (true (turn ?r)) (true (at ?x)) (edge ?x ?y))
    (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
    (<= (next (at ?y)) (does ?r (go ?y)))
    (<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
    (<= terminal (true (at ?x)) (end ?x ?w))
    (<= (goal ?r 100) (true (at ?x)) (end ?x ?r))
    (<= (goal ?r 0) (true (at ?x)) (end ?x ?s) (other ?s ?r))
    (<= (goal ?r 50) (role ?r) (true (at ?x)) (end ?x draw))
    (<= (goal ?r 50) (role ?r) (true (at ?x)) (not (is_end ?x)) (node ?x))
    (<= (is_end ?x) (end ?x ?w))
  )";
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::string name = std::to_string(node);
    rules += "(node " + name + ")";
    if (node > 0 && random.below(4) == 0) {
      const char* const winners[] = {"a", "b", "draw"};
      rules += "(end " + name + " " + winners[random.below(3)] + ")";
      continue;
    }
    for (std::uint32_t edges = 1 + random.below(3); edges > 0; --edges) {
      rules += "(edge " + name + " " + std::to_string(random.below(nodes)) + ")";
    }
  }
  return rules;
}

TEST(ProofNumberSearch, FindsTheWinsOfGamesWithCycles) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    expect_the_solvers_wins(simulator_of(testing::rulesheet(random_graph_game(seed))), 8, 12);
  }
}

TEST(ProofNumberSearch, TinyTablesLoseNoWins) {
  expect_the_solvers_wins(shipped("nim"), 10, 8, 512);
  expect_the_solvers_wins(shipped("tic_tac_toe"), 10, 8, 4'096);
}

// The twin: whether the role wins within that many moves, by trying everything.
bool wins_within(Walker& walker, std::size_t roles, std::size_t role, std::uint32_t moves) {
  if (walker.terminal()) {
    for (std::size_t r = 0; r < roles; ++r) {
      if (walker.goal(r) != (r == role ? 100 : 0)) return false;
    }
    return true;
  }
  if (moves == 0) return false;
  std::size_t decider = role;
  std::vector<Move> joint;
  for (std::size_t r = 0; r < roles; ++r) {
    joint.push_back(walker.legal(r).front());
    if (walker.legal(r).size() > 1) decider = r;
  }
  const std::vector<Move> choices(walker.legal(decider).begin(), walker.legal(decider).end());
  for (const Move move : choices) {
    joint[decider] = move;
    walker.make(joint);
    const bool wins = wins_within(walker, roles, role, moves - 1);
    walker.unmake();
    if (wins == (decider == role)) return wins;
  }
  return decider != role;
}

TEST(ProofNumberSearch, LimitsTheNumberOfMoves) {
  std::vector<SimulatorPointer> games = {shipped("tic_tac_toe"),
                                         generated("connect-four", {"4", "4"})};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    games.push_back(simulator_of(testing::rulesheet(random_graph_game(seed))));
  }
  for (const SimulatorPointer& simulator : games) {
    ProofNumberSearch search(simulator, {});
    base::Random random(9);
    for (int i = 0; i < 6; ++i) {
      const State state = random_state(*simulator, random.below(10), random);
      const auto walker = simulator->walker();
      walker->go_to(state);
      if (walker->terminal()) continue;
      for (std::uint32_t moves = 0; moves <= 5; ++moves) {
        for (std::size_t role = 0; role < 2; ++role) {
          const ProofReport report = search.search(state, role, {enough, moves});
          EXPECT_EQ(report.win.has_value(), wins_within(*walker, 2, role, moves));
          if (report.win) {
            EXPECT_LE(report.win->distance, moves);
          }
        }
      }
    }
  }
}

TEST(ProofNumberSearch, ContinuesAfterItsBudget) {
  const SimulatorPointer simulator = generated("connect-four", {"4", "4"});
  const auto solution = solve::solve_explicit(simulator->machine(), {}).value();
  base::Random random(2);
  std::size_t continued = 0;
  for (int i = 0; i < 20; ++i) {
    const State state = random_state(*simulator, random.below(8), random);
    ProofNumberSearch search(simulator, {});
    ProofReport report;
    int parts = 0;
    for (; !report.win && !report.is_refuted && parts < 20'000; ++parts) {
      report = search.search(state, 0, {30});
      EXPECT_LE(report.expansions, 30u);
    }
    if (parts > 1) ++continued;
    EXPECT_EQ(report.win.has_value(), solution.value(state) == search.win_of(0));
  }
  EXPECT_GT(continued, 0u);
}

// Every value that the search reports as exact is the solver's.
TEST(ForcedWins, UctProvesWinsAndAvoidsLosses) {
  for (const auto& simulator :
       {generated("connect-four", {"5", "4"}), generated("clobber", {"3", "4"})}) {
    const auto solution = solve::solve_explicit(simulator->machine(), {}).value();
    base::Random random(11);
    for (int i = 0; i < 30; ++i) {
      const State state = random_state(*simulator, 4 + random.below(8), random);
      const auto walker = simulator->walker();
      walker->go_to(state);
      UctOptions options;
      options.forced_wins->expansions_per_root_visit = 1;
      options.forced_wins->expansions_per_visit = 0.1;
      Uct uct(simulator, options);
      uct.set_root(state);
      const SearchReport report = uct.search({{}, 20'000});
      const Rewards value = solution.value(state).value();
      if (report.exact) {
        EXPECT_EQ(*report.exact, value);
      }
      for (std::size_t role = 0; role < 2; ++role) {
        for (const MoveReport& move : uct.moves(role)) {
          if (!move.exact || walker->legal(role).size() < 2) continue;
          std::vector<Move> joint = {walker->legal(0).front(), walker->legal(1).front()};
          joint[role] = move.move;
          walker->make(joint);
          EXPECT_EQ(*move.exact, solution.value(walker->state()));
          walker->unmake();
        }
      }
    }
  }
}

}  // namespace
}  // namespace zermelo::search
