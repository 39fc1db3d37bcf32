#include "toss/structure_machine.h"

#include <gtest/gtest.h>

#include "toss/toss_support.h"

namespace zermelo::toss {
namespace {

using testing::game_of;
using testing::machine_of;
using testing::shipped_game;
using State = StructureMachine::State;

// The move with the name; throws where it is not legal.
Move move_of(StructureMachine& machine, const State& state, std::size_t role,
             const std::string& name) {
  for (const Move move : machine.legal_moves(state, role)) {
    if (machine.move_name(move) == name) return move;
  }
  throw std::runtime_error(name + " is not legal");
}

// A step by the names of the moves, one per role.
State after(StructureMachine& machine, const State& state, const std::vector<std::string>& names) {
  std::vector<Move> joint;
  for (std::size_t r = 0; r < names.size(); ++r) {
    joint.push_back(move_of(machine, state, r, names[r]));
  }
  return machine.next_state(state, joint);
}

struct Counts {
  std::vector<std::uint64_t> sequences, terminal;
};

void count(StructureMachine& machine, const State& state, std::size_t depth, Counts& counts) {
  ++counts.sequences[depth];
  if (machine.terminal(state)) {
    ++counts.terminal[depth];
    return;
  }
  if (depth + 1 == counts.sequences.size()) return;
  std::vector<std::vector<Move>> joints = {{}};
  for (std::size_t r = 0; r < machine.roles().size(); ++r) {
    std::vector<std::vector<Move>> longer;
    for (const std::vector<Move>& joint : joints) {
      for (const Move move : machine.legal_moves(state, r)) {
        longer.push_back(joint);
        longer.back().push_back(move);
      }
    }
    joints = std::move(longer);
  }
  for (const std::vector<Move>& joint : joints) {
    count(machine, machine.next_state(state, joint), depth + 1, counts);
  }
}

Counts perft(const std::string& name, std::size_t depth) {
  StructureMachine machine = machine_of(shipped_game(name));
  Counts counts{std::vector<std::uint64_t>(depth + 1), std::vector<std::uint64_t>(depth + 1)};
  count(machine, machine.initial_state(), 0, counts);
  return counts;
}

using Numbers = std::vector<std::uint64_t>;

// Tic-tac-toe's are known; those of the others are of the GDL rulesheets of the same name.
TEST(StructureMachine, ShippedGamesHaveTheSamePerftAsTheirRulesheets) {
  EXPECT_EQ(perft("breakthrough", 3).sequences, (Numbers{1, 22, 484, 11132}));
  EXPECT_EQ(perft("connect_four", 5).sequences, (Numbers{1, 7, 49, 343, 2401, 16807}));
  EXPECT_EQ(perft("pawn_whopping", 4).sequences, (Numbers{1, 16, 128, 1920, 15366}));
  EXPECT_EQ(perft("gomoku", 2).sequences, (Numbers{1, 64, 4032}));
  const Counts counts = perft("tic_tac_toe", 6);
  EXPECT_EQ(counts.sequences, (Numbers{1, 9, 72, 504, 3024, 15120, 54720}));
  EXPECT_EQ(counts.terminal, (Numbers{0, 0, 0, 0, 0, 1440, 5328}));
}

TEST(StructureMachine, OtherShippedGamesHaveTheirCounts) {
  EXPECT_EQ(perft("small_chess", 3).sequences, (Numbers{1, 9, 60, 440}));
  const Counts counts = perft("concurrent_tic_tac_toe", 2);
  EXPECT_EQ(counts.sequences, (Numbers{1, 81, 4104}));  // 9 * 64 + 72 * 49
}

TEST(StructureMachine, PlaysTicTacToe) {
  StructureMachine machine = machine_of(shipped_game("tic_tac_toe"));
  EXPECT_EQ(machine.roles(), (std::vector<std::string>{"X", "O"}));
  State state = machine.initial_state();
  EXPECT_FALSE(machine.terminal(state));
  EXPECT_EQ(machine.legal_moves(state, 0).size(), 9u);
  for (const auto& names : std::vector<std::vector<std::string>>{{"Cross(b2)", "noop"},
                                                                 {"noop", "Circle(a1)"},
                                                                 {"Cross(b1)", "noop"},
                                                                 {"noop", "Circle(a2)"},
                                                                 {"Cross(b3)", "noop"}}) {
    state = after(machine, state, names);
  }
  EXPECT_TRUE(machine.terminal(state));
  EXPECT_TRUE(machine.legal_moves(state, 1).empty());
  EXPECT_EQ(machine.goals(state, 0), std::vector<int>{1});
  EXPECT_EQ(machine.goals(state, 1), std::vector<int>{-1});
  EXPECT_EQ(machine.fluent_names(state),
            (std::vector<std::string>{"P(b1)", "P(b2)", "P(b3)", "Q(a1)", "Q(a2)", "location(1)"}));
}

TEST(StructureMachine, StatesReachedInDifferentOrderAreEqual) {
  StructureMachine machine = machine_of(shipped_game("tic_tac_toe"));
  const auto play = [&](const char* first, const char* second) {
    State state = after(machine, machine.initial_state(), {first, "noop"});
    state = after(machine, state, {"noop", "Circle(c3)"});
    return after(machine, state, {second, "noop"});
  };
  const State one = play("Cross(a1)", "Cross(b2)"), other = play("Cross(b2)", "Cross(a1)");
  EXPECT_EQ(one, other);
  EXPECT_EQ(std::hash<State>{}(one), std::hash<State>{}(other));
  EXPECT_NE(one, machine.initial_state());
}

TEST(StructureMachine, PlayersMoveAtTheSameTime) {
  StructureMachine machine = machine_of(shipped_game("concurrent_tic_tac_toe"));
  State state = after(machine, machine.initial_state(), {"Cross(a1)", "Circle(a1)"});
  EXPECT_EQ(machine.fluent_names(state),
            (std::vector<std::string>{"P(a1)", "Q(a1)", "location(0)"}));
  state = after(machine, state, {"Cross(b1)", "Circle(a2)"});
  state = after(machine, state, {"Cross(c1)", "Circle(a3)"});
  EXPECT_TRUE(machine.terminal(state));
  EXPECT_EQ(machine.goals(state, 0), std::vector<int>{50});
}

TEST(StructureMachine, PostconditionsForbidMoves) {
  StructureMachine machine = machine_of(game_of(
      "PLAYERS X\nRULE Move: [a, b | P (a); R (a, b) | -] -> [a, b | P (b); R (a, b) | -] emb P\n"
      "post ex y R(b, y)\n"
      "LOC 0 { PLAYER X { PAYOFF Sum (x, y | P(x) and tc y, x (R(y, x)) : 1) MOVES [Move -> 0] } "
      "}\n"
      "START [ | P (a); R {(a, b); (b, c); (c, d)} | -]"));
  State state = machine.initial_state();
  state = after(machine, state, {"Move(a, b)"});
  state = after(machine, state, {"Move(b, c)"});
  EXPECT_TRUE(machine.terminal(state));
  EXPECT_EQ(machine.payoff(state, 0), 2);
}

// A rule that removes what its own left side needs applies until nothing is left.
TEST(StructureMachine, RulesMayRemoveWhatTheyNeed) {
  StructureMachine machine =
      machine_of(game_of("PLAYERS X\nRULE Eat: [a | P (a) | -] -> [ | - | -]\n"
                         "LOC 0 { PLAYER X { PAYOFF Sum (x | true : 1) MOVES [Eat -> 0] } }\n"
                         "START [a, b, c | P {a; b} | -]"));
  State state = after(machine, machine.initial_state(), {"Eat(a)"});
  state = after(machine, state, {"Eat(b)"});
  EXPECT_TRUE(machine.terminal(state));
  EXPECT_EQ(machine.payoff(state, 0), 1);
  EXPECT_EQ(machine.fluent_names(state), (std::vector<std::string>{"element(c)", "location(0)"}));
}

TEST(StructureMachine, StructuresMayGrowUpToALimit) {
  MachineOptions options;
  options.max_elements = 10;
  StructureMachine machine = machine_of(
      game_of("PLAYERS X\nRULE Grow: [a | P (a) | -] -> [a, b | P (b); R (a, b) | -] emb P\n"
              "LOC 0 { PLAYER X { PAYOFF 0 MOVES [Grow -> 0] } }\n"
              "START [a | P (a); R:2 {} | -]"),
      options);
  State state = machine.initial_state();
  for (int i = 1; i < 10; ++i) {
    state = machine.next_state(state, machine.legal_moves(state, 0));
  }
  EXPECT_EQ(machine.legal_moves(state, 0).size(), 1u);
  EXPECT_EQ(machine.move_name(machine.legal_moves(state, 0)[0]), "Grow(b_9)");
  EXPECT_THROW(machine.next_state(state, machine.legal_moves(state, 0)), LimitReached);
  // It can still be asked.
  EXPECT_FALSE(machine.terminal(state));
}

TEST(StructureMachine, RefusesAStartThatIsTooLarge) {
  MachineOptions options;
  options.max_elements = 2;
  const auto machine = StructureMachine::make(
      std::make_shared<const Game>(game_of("PLAYERS X LOC 0 { } START [a, b, c]")), options);
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().kind, base::ErrorKind::memory_limit);
}

TEST(StructureMachine, MovesToSeveralLocationsNameTheTarget) {
  StructureMachine machine = machine_of(
      game_of("PLAYERS X\nRULE Go: [ | - | -] -> [ | - | -]\n"
              "LOC 0 { PLAYER X { MOVES [Go -> 1; Go -> 2] } }\n"
              "LOC 1 { PLAYER X { PAYOFF 10 } } LOC 2 { PLAYER X { PAYOFF 20 } } START [a]"));
  const State state = machine.initial_state();
  EXPECT_EQ(machine.goals(after(machine, state, {"Go() -> 1"}), 0), std::vector<int>{10});
  EXPECT_EQ(machine.goals(after(machine, state, {"Go() -> 2"}), 0), std::vector<int>{20});
}

// Random games of generated rules end, or run into a limit; their payoffs are those of the slow
// evaluator.
TEST(StructureMachine, PlaysGeneratedGames) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    testing::RandomTexts texts(seed);
    const std::string text = texts.game();
    SCOPED_TRACE(text);
    MachineOptions options;
    options.max_elements = 12;
    StructureMachine machine = machine_of(game_of(text), options);
    base::Random random(seed);
    State state = machine.initial_state();
    try {
      for (int step = 0; step < 12 && !machine.terminal(state); ++step) {
        const testing::NaiveEvaluator naive(machine.game(), state.structure());
        for (std::size_t r = 0; r < 2; ++r) {
          const PlayerPart& part = machine.game().locations[state.location()].players[r];
          ASSERT_EQ(machine.payoff(state, r), naive.value(*part.payoff));
        }
        std::vector<Move> joint;
        for (std::size_t r = 0; r < 2; ++r) {
          const std::vector<Move> legal = machine.legal_moves(state, r);
          joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        state = machine.next_state(state, joint);
      }
    } catch (const LimitReached&) {
    }
  }
}

}  // namespace
}  // namespace zermelo::toss
