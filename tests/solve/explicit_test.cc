// Games whose values and numbers of states are known, and games that cannot be solved.
#include "solve/explicit/distance.h"
#include "solve/explicit/explicit_solver.h"
#include "solve/graph_games.h"
#include "solve/load_game.h"
#include "solve/turn_games.h"

namespace zermelo::solve {
namespace {

TEST(Explicit, TicTacToe) {
  const ExplicitSolution solution = solved(shipped("tic_tac_toe"));
  EXPECT_EQ(solution.value(), (Rewards{50, 50}));
  EXPECT_EQ(solution.states(), 5478u);
  EXPECT_EQ(solution.terminal_states(), 958u);
  EXPECT_EQ(solution.layers(), 10u);
  EXPECT_FALSE(solution.cyclic());
  const std::vector<MoveValue> moves = solution.moves(solution.initial());
  ASSERT_EQ(moves.size(), 9u);
  for (const MoveValue& move : moves) EXPECT_TRUE(move.keeps_value);
}

TEST(Explicit, ConnectFour4x4) {
  const ExplicitSolution solution = solved(generated("connect-four", {"4", "4"}));
  EXPECT_EQ(solution.value(), (Rewards{50, 50}));
  EXPECT_EQ(solution.states(), 161'029u);
}

TEST(Explicit, NimIsLostWhereTheSumIsZero) {
  const ExplicitSolution even = solved(shipped("nim"));
  EXPECT_EQ(even.value(), (Rewards{0, 100}));
  EXPECT_EQ(even.states(), 752u);
  EXPECT_EQ(solved(generated("nim", {"1", "3", "5"})).value(), (Rewards{100, 0}));
}

TEST(Explicit, ChompIsWonInOneWay) {
  const ExplicitSolution solution = solved(generated("chomp", {"5", "5"}));
  EXPECT_EQ(solution.value(), (Rewards{100, 0}));
  std::size_t winning = 0;
  for (const MoveValue& move : solution.moves(solution.initial())) winning += move.keeps_value;
  EXPECT_EQ(winning, 1u);  // the bite that leaves an L with legs of equal length
}

TEST(Explicit, Clobber) {
  const ExplicitSolution row = solved(generated("clobber", {"1", "6"}));
  EXPECT_EQ(row.states(), 28u);
  EXPECT_EQ(row.terminal_states(), 11u);
  EXPECT_EQ(row.value(), (Rewards{0, 100}));
  const auto by_value = row.by_value();
  ASSERT_EQ(by_value.size(), 2u);
  EXPECT_EQ(by_value[0].rewards, (Rewards{100, 0}));
  EXPECT_EQ(by_value[0].states, 5u);  // Table 7 of Edelkamp and Kissmann
  EXPECT_EQ(by_value[1].states, 23u);
  const ExplicitSolution board = solved(generated("clobber", {"3", "4"}));
  EXPECT_EQ(board.states(), 13'343u);
  EXPECT_EQ(board.value(), (Rewards{0, 100}));
}

TEST(Explicit, SheepAndWolf) {
  EXPECT_EQ(solved(shipped("sheep_and_wolf")).value(), (Rewards{0, 100}));
}

TEST(Explicit, Puzzles) {
  EXPECT_EQ(solved(generated("hanoi", {"3", "3"})).value(), Rewards{100});
  EXPECT_EQ(solved(generated("sliding-tiles", {"2", "3"})).value(), Rewards{100});
  EXPECT_EQ(solved(generated("lights-out", {"3", "3"})).value(), Rewards{100});
  EXPECT_EQ(solved(generated("pancakes", {"5"})).value(), Rewards{100});
  EXPECT_EQ(solved(shipped("blocks_world")).value(), Rewards{100});
  EXPECT_EQ(solved(shipped("maze")).value(), Rewards{100});
}

// One player chooses among three ends.
constexpr const char* ends = R"(
  (role a) (role b)
  (init start)
  (<= (legal a first) (true start))
  (<= (legal a second) (true start))
  (<= (legal a third) (true start))
  (<= (legal b noop) (true start))
  (<= (next (end ?move)) (does a ?move))
  (<= terminal (true (end ?move)))
  (<= (goal a 60) (true (end first)))
  (<= (goal b 80) (true (end first)))
  (<= (goal a 60) (true (end second)))
  (<= (goal b 50) (true (end second)))
  (<= (goal a 40) (true (end third)))
  (<= (goal b 10) (true (end third)))
)";

TEST(Explicit, OpponentModels) {
  EXPECT_EQ(solved(from_text(ends), OpponentModel::own).value(), (Rewards{60, 50}));
  EXPECT_EQ(solved(from_text(ends), OpponentModel::difference).value(), (Rewards{40, 10}));
}

TEST(Explicit, MovesAndValuesOfAnyState) {
  const ExplicitSolution solution = solved(from_text(ends));
  const auto moves = solution.moves(solution.initial());
  ASSERT_EQ(moves.size(), 3u);
  EXPECT_EQ(solution.machine().move_name(moves[0].move), "second");  // the best comes first
  EXPECT_TRUE(moves[0].keeps_value && moves[0].best);
  EXPECT_EQ(moves[1].rewards, (Rewards{60, 80}));
  EXPECT_FALSE(moves[1].keeps_value);
  EXPECT_FALSE(solution.value(machine::State(4)).has_value());
  machine::Stepper stepper(std::make_shared<const machine::Machine>(solution.machine().game()));
  const auto legal = machine::Move{moves[2].move};
  const auto noop = stepper.legal_moves(solution.initial(), 1).front();
  const auto end = stepper.next_state(solution.initial(), std::vector{legal, noop});
  EXPECT_EQ(solution.value(end), (Rewards{40, 10}));
  EXPECT_TRUE(solution.moves(end).empty());
}

TEST(Explicit, SimultaneousDecisionsAreRefused) {
  const base::Error error = refusal(shipped("rock_paper_scissors"));
  EXPECT_EQ(error.kind, base::ErrorKind::not_applicable);
  EXPECT_NE(error.message.find("left and right decide at the same time"), std::string::npos);
  EXPECT_NE(error.message.find("(round 1)"), std::string::npos) << error.message;
}

TEST(Explicit, AChoiceThatChangesNothingIsNone) {
  const std::string only_a = "(<= (next (end ?move)) (does a ?move))";
  EXPECT_EQ(solved(from_text(two_choosers(only_a))).value(), (Rewards{100, 0}));
  const std::string only_b = "(<= (next (end ?move)) (does b ?move))";
  EXPECT_EQ(solved(from_text(two_choosers(only_b))).value(), (Rewards{0, 100}));
  const std::string nobody_decides = "(<= (next (end left)) (true start))";
  EXPECT_EQ(solved(from_text(two_choosers(nobody_decides))).value(), (Rewards{100, 0}));
}

TEST(Explicit, DecidingTogetherIsRefused) {
  const std::string both = "(<= (next (end left)) (does a right) (does b right))";
  EXPECT_EQ(refusal(from_text(two_choosers(both))).kind, base::ErrorKind::not_applicable);
}

TEST(Explicit, BrokenGamesAreRefused) {
  const std::string head = "(role a) (init start) (<= (next over) (does a go)) ";
  const std::string legal = "(<= (legal a go) (true start)) ";
  const std::string terminal = "(<= terminal (true over)) ";
  EXPECT_EQ(solved(from_text(head + legal + terminal + "(goal a 70)")).value(), Rewards{70});
  const auto message = [&](const std::string& rest) { return refusal(from_text(head + rest)); };
  EXPECT_EQ(solved(from_text(head + legal + terminal + "(<= (goal a 70) (true start))")).value(),
            Rewards{0});
  EXPECT_EQ(solved(from_text(head + legal + terminal + "(goal a 70) (goal a 80)")).value(),
            Rewards{80});
  EXPECT_EQ(message(legal + "(<= terminal (true start) (true over)) (goal a 70)").message,
            "a has no legal move in the state: over");
}

TEST(Explicit, LimitsAreKept) {
  const MachinePointer machine = shipped("connect_four");
  const base::Limits no_memory({}, 1);
  EXPECT_EQ(refusal(machine, no_memory).kind, base::ErrorKind::memory_limit);
  const base::Limits no_time(std::chrono::duration<double>(0.01), {});
  EXPECT_EQ(refusal(machine, no_time).kind, base::ErrorKind::time_limit);
}

TEST(Explicit, MoreStatesThanAskedForAreNoLimit) {
  const MachinePointer machine = shipped("nim");
  const auto states = static_cast<StateIndex>(solved(machine).states());
  const auto all = solve_explicit_up_to(states, machine, {});
  ASSERT_TRUE(all && *all);
  EXPECT_EQ((*all)->states(), states);
  const auto fewer = solve_explicit_up_to(states - 1, machine, {});
  ASSERT_TRUE(fewer);
  EXPECT_FALSE(*fewer);
  const auto stopped = solve_explicit_up_to(states, shipped("connect_four"), {{}, {{}, 1}});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, base::ErrorKind::memory_limit);
}

// Ends the work at each question for the limits in turn, and returns how many there are.
template <class Work>
std::size_t questions(Work work) {
  for (std::size_t allowed = 0;; ++allowed) {
    std::size_t asked = 0;
    base::Limits limits;
    limits.end_when([&] { return asked++ >= allowed; });
    const auto done = work(limits);
    if (done) return asked;
    EXPECT_EQ(done.error().kind, base::ErrorKind::time_limit);
  }
}

TEST(Explicit, LimitsAreAskedAfterExploring) {
  for (const auto& machine : {from_text(rules_of(random_graph(1, 2))), shipped("nim")}) {
    const ExplicitSolution solution = solved(machine);
    const auto evaluation = [&](const base::Limits& limits) {
      return evaluate(solution.graph(), OpponentModel::own, limits);
    };
    EXPECT_GE(questions(evaluation), solution.cyclic() ? 7u : 3u);
    const auto search = [&](const base::Limits& limits) {
      return distances(solution.graph(), solution.values(), limits);
    };
    EXPECT_GE(questions(search), 4u);
  }
  EXPECT_TRUE(solved(from_text(rules_of(random_graph(1, 2)))).cyclic());
}

}  // namespace
}  // namespace zermelo::solve
