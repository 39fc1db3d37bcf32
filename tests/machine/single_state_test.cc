// Cursor against Reference: random games played forth and back, and places it did not come from.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "base/random.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "machine/perft.h"
#include "reference/reference.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::machine {
namespace {

std::shared_ptr<const Machine> machine_of(const std::shared_ptr<const gdl::Rulesheet>& rulesheet) {
  return std::make_shared<const Machine>(ground::ground(rulesheet).value());
}

// Walks through the game at random, with a step back for every few forward, and compares what the
// cursor sees with what the reference says of the state it should be in.
class Walk {
 public:
  Walk(const std::shared_ptr<const gdl::Rulesheet>& rulesheet, std::uint64_t seed)
      : stepper_(machine_of(rulesheet)),
        cursor_(std::make_shared<const Machine>(stepper_.machine().game())),
        reference_(reference::Reference::make(rulesheet).value()),
        random_(seed) {}

  void run(std::size_t steps) {
    history_.push_back(reference_.initial_state());
    for (std::size_t i = 0; i < steps && !::testing::Test::HasFailure(); ++i) {
      compare();
      const bool stuck = cursor_.terminal() || !choose();
      if (stuck || random_.below(4) == 0) {
        go_back();
      } else {
        go_on();
      }
    }
  }

 private:
  void compare() {
    reference::Reference::State& expected = history_.back();
    EXPECT_EQ(cursor_.depth(), history_.size() - 1);
    EXPECT_EQ(stepper_.fluent_names(cursor_.state()), reference_.fluent_names(expected));
    EXPECT_EQ(cursor_.terminal(), reference_.terminal(expected));
    for (std::size_t role = 0; role < reference_.roles().size(); ++role) {
      EXPECT_EQ(cursor_.goals(role), reference_.goals(expected, role));
      EXPECT_EQ(names_of_legal(role), names_in_reference(role));
    }
  }

  std::vector<std::string> names_of_legal(std::size_t role) {
    std::vector<std::string> names;
    for (const Move move : cursor_.legal(role)) names.push_back(cursor_.machine().move_name(move));
    return names;
  }

  std::vector<std::string> names_in_reference(std::size_t role) {
    std::vector<std::string> names;
    for (const Move move : reference_.legal_moves(history_.back(), role)) {
      names.push_back(reference_.move_name(move));
    }
    return names;
  }

  bool choose() {
    joint_.clear();
    joint_in_reference_.clear();
    for (std::size_t role = 0; role < reference_.roles().size(); ++role) {
      const auto legal = cursor_.legal(role);
      if (legal.empty()) return false;
      const std::uint32_t chosen = random_.below(static_cast<std::uint32_t>(legal.size()));
      joint_.push_back(legal[chosen]);
      joint_in_reference_.push_back(reference_.legal_moves(history_.back(), role)[chosen]);
    }
    return true;
  }

  void go_on() {
    cursor_.make(joint_);
    history_.push_back(reference_.next_state(history_.back(), joint_in_reference_));
  }

  void go_back() {
    const auto most = static_cast<std::uint32_t>(cursor_.depth());
    for (std::uint32_t left = random_.below(most + 1); left > 0; --left) {
      cursor_.unmake();
      history_.pop_back();
    }
  }

  Stepper stepper_;
  Cursor cursor_;
  reference::Reference reference_;
  base::Random random_;
  std::vector<reference::Reference::State> history_;
  std::vector<Move> joint_, joint_in_reference_;
};

TEST(SingleState, WalksLikeTheReferenceInRandomGames) {
  for (std::uint64_t seed = 1000; seed < 1500 && !HasFailure(); ++seed) {
    const auto rulesheet = testing::rulesheet(testing::random_game(seed));
    Walk(rulesheet, seed).run(40);
    EXPECT_FALSE(HasFailure()) << "seed " << seed << "\n" << rulesheet->source->text();
  }
}

class SingleStateShipped : public ::testing::TestWithParam<std::string> {};

TEST_P(SingleStateShipped, WalksLikeTheReference) {
  Walk(testing::rulesheet_file(ZERMELO_ROOT "/games/" + GetParam() + ".kif"), 5).run(150);
}

std::vector<std::string> shipped_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ZERMELO_ROOT "/games")) {
    if (entry.path().extension() == ".kif") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Games, SingleStateShipped, ::testing::ValuesIn(shipped_names()),
                         [](const auto& parameter) { return parameter.param; });

// A game of two phases, played from states in which it is nobody's or everybody's turn.
TEST(SingleState, GoesToStatesOfNoPhase) {
  const auto rulesheet = testing::rulesheet(R"((role x) (role o)
    (init (control x)) (init (cell a)) (init (cell b)) (init (cell c))
    (<= (next (control x)) (true (control o)))
    (<= (next (control o)) (true (control x)))
    (<= (legal ?r (take ?c)) (true (control ?r)) (true (cell ?c)))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (taken ?c) (does ?r (take ?c)))
    (<= (next (cell ?c)) (true (cell ?c)) (not (taken ?c)))
    (<= some (true (cell ?c)))
    (<= terminal (not some))
    (<= (goal ?r 50) (role ?r)))");
  Stepper stepper(machine_of(rulesheet));
  ASSERT_EQ(stepper.machine().program().phases.size(), 2u);
  const auto state_of = [&](std::vector<std::string> fluents) {
    State state(stepper.machine().game().fluents.size());
    for (ground::Atom f = 0; f < stepper.machine().game().fluents.size(); ++f) {
      const std::string name = stepper.machine().game().fluent_name(f);
      if (std::find(fluents.begin(), fluents.end(), name) != fluents.end()) state.set(f);
    }
    return state;
  };
  const auto counts = [&](const State& state) {
    return std::pair(stepper.legal_moves(state, 0).size(), stepper.legal_moves(state, 1).size());
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  const State both = state_of({"(control x)", "(control o)", "(cell a)", "(cell b)", "(cell c)"});
  const State nobody = state_of({"(cell a)", "(cell b)"});
  EXPECT_EQ(counts(both), Counts(3, 3));
  EXPECT_EQ(counts(nobody), Counts(1, 1));
  EXPECT_EQ(counts(stepper.initial_state()), Counts(3, 1));
  EXPECT_EQ(counts(state_of({"(control o)", "(cell c)"})), Counts(1, 1));
  const std::vector<Move> takes{stepper.legal_moves(both, 0)[0], stepper.legal_moves(both, 1)[2]};
  EXPECT_EQ(stepper.next_state(both, takes), state_of({"(control x)", "(control o)", "(cell b)"}));
  EXPECT_TRUE(stepper.terminal(state_of({"(control x)"})));
  EXPECT_TRUE(stepper.terminal(state_of({})));
}

std::uint64_t count_leaves(Cursor& cursor, std::size_t depth) {
  if (depth == 0 || cursor.terminal()) return 1;
  std::vector<std::vector<Move>> legal;
  for (std::size_t role = 0; role < cursor.machine().roles().size(); ++role) {
    const auto moves = cursor.legal(role);
    legal.emplace_back(moves.begin(), moves.end());
  }
  std::uint64_t leaves = 0;
  for_each_joint_move(legal, [&](std::span<const Move> joint) {
    cursor.make(joint);
    leaves += count_leaves(cursor, depth - 1);
    cursor.unmake();
    return true;
  });
  return leaves;
}

TEST(SingleState, BreakthroughFitsInACache) {
  const auto machine = machine_of(testing::rulesheet_file(ZERMELO_ROOT "/games/breakthrough.kif"));
  EXPECT_GT(machine->program().bytes(), 0u);
  EXPECT_LT(machine->program().bytes(), 1u << 20);
}

TEST(SingleState, ThreadsShareAMachine) {
  const auto machine = machine_of(testing::rulesheet_file(ZERMELO_ROOT "/games/breakthrough.kif"));
  Cursor cursor(machine);
  const std::uint64_t expected = count_leaves(cursor, 3);
  std::vector<std::uint64_t> counts(4);
  std::vector<std::thread> threads;
  for (std::uint64_t& count : counts) {
    threads.emplace_back([&] {
      Cursor own(machine);
      count = count_leaves(own, 3);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counts, std::vector<std::uint64_t>(4, expected));
}

}  // namespace
}  // namespace zermelo::machine
