// Generated games, read, checked, grounded and counted: known numbers of states and sequences.
#include <gtest/gtest.h>

#include <unordered_set>

#include "families/families.h"
#include "games/layered_perft.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"

namespace zermelo {
namespace {

using machine::Move;
using machine::State;
using machine::Stepper;
using Sizes = std::vector<std::string>;

std::shared_ptr<const gdl::Rulesheet> rules_of(const std::string& family, const Sizes& sizes) {
  return testing::rulesheet(families::generate(family, sizes).value());
}

Stepper engine_of(const std::string& family, const Sizes& sizes) {
  return Stepper(
      std::make_shared<const machine::Machine>(ground::ground(rules_of(family, sizes)).value()));
}

// All states reachable from the start.
std::unordered_set<State> reachable_states(Stepper& engine) {
  std::unordered_set<State> seen = {engine.initial_state()};
  std::vector<State> open = {engine.initial_state()};
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    if (engine.terminal(state)) continue;
    machine::for_each_joint_move(machine::all_legal_moves(engine, state),
                                 [&](std::span<const Move> joint) {
                                   const State successor = engine.next_state(state, joint);
                                   if (seen.insert(successor).second) open.push_back(successor);
                                   return true;
                                 });
  }
  return seen;
}

std::size_t count_states(const std::string& family, const Sizes& sizes) {
  Stepper engine = engine_of(family, sizes);
  return reachable_states(engine).size();
}

std::uint64_t count_sequences(const std::string& family, const Sizes& sizes, std::size_t depth) {
  Stepper engine = engine_of(family, sizes);
  return testing::layered_perft(engine, depth).back().sequences;
}

struct Generated {
  std::string family;
  Sizes sizes;
};

const std::vector<Generated> small_games = {
    {"blocks", {"3"}},
    {"breakthrough", {"2", "4"}},
    {"breakthrough", {"3", "5"}},
    {"chomp", {"1", "1"}},
    {"chomp", {"4", "3"}},
    {"clobber", {"2", "1"}},
    {"clobber", {"1", "6"}},
    {"clobber", {"3", "3", "tokens"}},
    {"connect-four", {"4", "1", "4"}},
    {"connect-four", {"1", "4", "4"}},
    {"connect-four", {"3", "3", "3"}},
    {"connect-four", {"2", "2", "1"}},
    {"cubi-cup", {"2"}},
    {"cubi-cup", {"3"}},
    {"dining-cryptographers", {"3"}},
    {"hanoi", {"1", "3"}},
    {"hanoi", {"3", "3"}},
    {"hanoi", {"4", "4"}},
    {"knights-tour", {"3", "3"}},
    {"knights-tour", {"3", "4"}},
    {"liars-dice", {"2"}},
    {"lights-out", {"1", "1"}},
    {"lights-out", {"1", "3"}},
    {"lights-out", {"3", "2"}},
    {"muddy-children", {"1"}},
    {"muddy-children", {"2"}},
    {"nim", {"1"}},
    {"nim", {"1", "2", "3"}},
    {"pancakes", {"2"}},
    {"pancakes", {"5"}},
    {"peg", {"triangle", "3"}},
    {"peg", {"triangle"}},
    {"peg", {"rectangle", "4", "1"}},
    {"peg", {"rectangle", "4", "4"}},
    {"queens", {"1"}},
    {"queens", {"2"}},
    {"queens", {"6"}},
    {"russian-cards", {"1", "1", "1"}},
    {"sliding-tiles", {"2", "2"}},
    {"sliding-tiles", {"2", "3", "15"}},
    {"sum-and-product", {"12"}},
    {"tic-tac-toe", {"1", "1", "1"}},
    {"tic-tac-toe", {"3", "2", "3"}},
    {"tic-tac-toe", {"3", "3", "2"}},
};

std::string title(const Generated& game) {
  std::string text = game.family;
  for (const std::string& size : game.sizes) text += " " + size;
  return text;
}

TEST(GeneratedGames, AreValidWithoutWarnings) {
  for (const Generated& game : small_games) {
    const auto rules = rules_of(game.family, game.sizes);
    for (const gdl::Diagnostic& diagnostic : gdl::check_validity(*rules)) {
      ADD_FAILURE() << title(game) << "\n" << gdl::format(diagnostic, *rules->source);
    }
  }
}

// In every reachable state: moves for every role unless it is terminal, and then one goal for each.
TEST(GeneratedGames, ArePlayableInEveryState) {
  for (const Generated& game : small_games) {
    SCOPED_TRACE(title(game));
    Stepper engine = engine_of(game.family, game.sizes);
    ASSERT_FALSE(engine.terminal(engine.initial_state()));
    for (const State& state : reachable_states(engine)) {
      for (std::size_t role = 0; role < engine.roles().size(); ++role) {
        if (engine.terminal(state)) {
          const bool plays = engine.roles()[role] != base::random_role;
          EXPECT_EQ(engine.goals(state, role).size(), plays ? 1u : 0u);
        } else {
          EXPECT_FALSE(engine.legal_moves(state, role).empty());
        }
      }
    }
  }
}

// The best goal that the single player can reach.
int best_goal(const std::string& family, const Sizes& sizes) {
  Stepper engine = engine_of(family, sizes);
  int best = 0;
  for (const State& state : reachable_states(engine)) {
    if (engine.terminal(state)) best = std::max(best, engine.goals(state, 0).front());
  }
  return best;
}

TEST(GeneratedGames, PuzzlesCanBeSolved) {
  for (const Generated& game : std::vector<Generated>{{"blocks", {"4"}},
                                                      {"hanoi", {"4", "3"}},
                                                      {"hanoi", {"5", "4"}},
                                                      {"lights-out", {"3", "3"}},
                                                      {"pancakes", {"6"}},
                                                      {"peg", {"triangle"}},
                                                      {"queens", {"8"}},
                                                      {"sliding-tiles", {"2", "2"}},
                                                      {"sliding-tiles", {"3", "2"}}}) {
    EXPECT_EQ(best_goal(game.family, game.sizes), 100) << title(game);
  }
}

TEST(GeneratedGames, KnownNumbersOfStates) {
  EXPECT_EQ(count_states("tic-tac-toe", {"3", "3", "3"}), 5478u);
  EXPECT_EQ(count_states("connect-four", {"4", "4"}), 161029u);
  EXPECT_EQ(count_states("clobber", {"6", "1"}), 28u);
  EXPECT_EQ(count_states("clobber", {"1", "6"}), 28u);
  EXPECT_EQ(count_states("clobber", {"3", "4"}), 13343u);
  EXPECT_EQ(count_states("clobber", {"4", "3"}), 13343u);
}

// A bar of W by H has C(W + H, W) shapes, each with either player to move, but the whole bar and
// the bar without its last corner with one of them only.
TEST(GeneratedGames, ChompHasAStateForEveryShapeAndPlayer) {
  EXPECT_EQ(count_states("chomp", {"4", "3"}), 2u * 35u - 2u);
  EXPECT_EQ(count_states("chomp", {"5", "6"}), 2u * 462u - 2u);
}

TEST(GeneratedGames, QueensHaveTheirSolutions) {
  EXPECT_EQ(count_sequences("queens", {"6"}, 6), 4u);
  EXPECT_EQ(count_sequences("queens", {"8"}, 8), 92u);
}

TEST(GeneratedGames, KnightHas304ToursOfFiveByFiveFromTheCorner) {
  EXPECT_EQ(count_sequences("knights-tour", {"5", "5"}, 24), 304u);
}

TEST(GeneratedGames, ClobberIsWorthTheTokensLeft) {
  Stepper engine = engine_of("clobber", {"2", "1", "tokens"});
  const State start = engine.initial_state();
  std::vector<Move> joint;
  for (std::size_t role = 0; role < 2; ++role) joint.push_back(engine.legal_moves(start, role)[0]);
  const State end = engine.next_state(start, joint);
  EXPECT_TRUE(engine.terminal(end));
  EXPECT_EQ(engine.goals(end, 0), std::vector<int>{10});
  EXPECT_EQ(engine.goals(end, 1), std::vector<int>{0});
}

}  // namespace
}  // namespace zermelo
