// The graph of a game, whose states are expanded by lanes, against moves made one at a time.
#include "solve/explicit/game_graph.h"

#include <algorithm>

#include "machine/perft.h"
#include "solve/load_game.h"

namespace zermelo::solve {
namespace {

using machine::Move;
using machine::State;

// The numbers that the graph has for the successors by all joint moves.
std::vector<StateIndex> successors(machine::Stepper& stepper, const GameGraph& graph,
                                   const State& state) {
  std::vector<std::vector<Move>> legal;
  for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
    legal.push_back(stepper.legal_moves(state, role));
  }
  std::vector<StateIndex> found;
  machine::for_each_joint_move(legal, [&](std::span<const Move> joint) {
    found.push_back(graph.states.find(stepper.next_state(state, joint).words()).value());
    return true;
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

void expect_graph_of(const MachinePointer& machine, StateIndex states) {
  const GameGraph graph = explore(machine, {}).value();
  ASSERT_EQ(graph.size(), states);
  machine::Stepper stepper(machine);
  State state(machine->game().fluents.size());
  for (StateIndex s = 0; s < graph.size(); ++s) {
    std::copy(graph.states[s].begin(), graph.states[s].end(), state.words().begin());
    const bool is_terminal = stepper.terminal(state);
    ASSERT_EQ(graph.terminal[s] != unknown_outcome, is_terminal) << s;
    const auto edges = graph.successors(s);
    ASSERT_EQ(std::vector(edges.begin(), edges.end()),
              is_terminal ? std::vector<StateIndex>() : successors(stepper, graph, state))
        << s;
  }
}

TEST(GameGraph, IsThatOfSingleMoves) {
  expect_graph_of(shipped("tic_tac_toe"), 5'478);
  expect_graph_of(generated("clobber", {"3", "4"}), 13'343);
  expect_graph_of(generated("sliding-tiles", {"3", "2", "unlimited"}), 360);
  expect_graph_of(generated("hanoi", {"8", "3", "unlimited"}), 6'561);
}

// One move, then 4,096 states in which the game is over.
TEST(GameGraph, LimitsAreKeptOverTerminalStates) {
  const MachinePointer machine = from_text(R"(
    (role player) (init (at none)) (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5)
    (digit 6) (digit 7)
    (<= (legal player (go ?a ?b ?c ?d)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))
    (<= (next (at (place ?a ?b ?c ?d))) (does player (go ?a ?b ?c ?d)))
    (<= terminal (not (true (at none)))) (goal player 100))");
  int questions = 0;
  base::Limits counted;
  counted.end_when([&] { return ++questions < 0; });
  ASSERT_EQ(explore(machine, counted).value().size(), 4'097u);
  EXPECT_GE(questions, 2 * 4'096 / 256);
}

}  // namespace
}  // namespace zermelo::solve
