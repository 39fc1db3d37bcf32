#include "analysis/mutex_groups.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/exclusive_moves.h"
#include "analysis/mutex_proof_by_induction.h"
#include "analysis/reachable.h"
#include "analysis/step_formula.h"
#include "base/limits.h"
#include "base/random.h"
#include "ground/ground.h"
#include "support/load_game.h"
#include "support/processor_time.h"
#include "support/random_game.h"

namespace zermelo::analysis {
namespace {

using ground::Atom;
using machine::Move;
using machine::State;
using testing::machine_of;
using testing::MachinePointer;
using testing::shipped;
using Names = std::set<std::string>;

// Far more than any of these proofs needs, so that a busy machine changes no result.
const MutexOptions patient{.seconds = std::chrono::seconds(300)};

std::set<Names> group_names(const ground::Game& game, const MutexGroups& found, bool exactly_one) {
  std::set<Names> result;
  for (const MutexGroup& group : found.groups) {
    if (group.exactly_one != exactly_one) continue;
    Names names;
    for (const Atom fluent : group.fluents) names.insert(game.fluent_name(fluent));
    result.insert(std::move(names));
  }
  return result;
}

bool holds_in(const MutexGroup& group, const State& state) {
  const auto holding = std::count_if(group.fluents.begin(), group.fluents.end(),
                                     [&](Atom fluent) { return state.test(fluent); });
  return group.exactly_one ? holding == 1 : holding <= 1;
}

// Checks the claims about a game state by state.
class Checker {
 public:
  Checker(MachinePointer machine, const MutexOptions& options = patient)
      : machine_(std::move(machine)),
        stepper_(machine_),
        found_(find_mutex_groups(machine_, options)) {
    const ground::Game& game = machine_->game();
    set_of_move_.resize(game.moves.size());
    for (std::uint32_t role = 0; role < game.roles.size(); ++role) {
      const auto sets = exclusive_moves(game, role, found_.groups);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        for (const Move move : sets[i]) set_of_move_[move] = i + 1;
      }
    }
  }

  const MutexGroups& found() const { return found_; }
  machine::Stepper& stepper() { return stepper_; }

  void check(const State& state) {
    for (const MutexGroup& group : found_.groups) ASSERT_TRUE(holds_in(group, state));
    for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
      std::set<std::size_t> seen;
      for (const Move move : stepper_.legal_moves(state, role)) {
        ASSERT_NE(set_of_move_[move], 0u) << "every move is in a set";
        ASSERT_TRUE(seen.insert(set_of_move_[move]).second) << machine_->move_name(move);
      }
    }
  }

  void check_reachable(std::uint64_t max_states) {
    const ReachableLimits limits{.max_states = max_states, .limits = {}};
    const auto reachable = enumerate(stepper_, limits);
    for (const State& state : reachable.states) {
      ASSERT_NO_FATAL_FAILURE(check(state));
    }
  }

  void check_random_games(int games, std::uint64_t seed) {
    base::Random random(seed);
    for (int i = 0; i < games; ++i) {
      State state = stepper_.initial_state();
      for (;;) {
        ASSERT_NO_FATAL_FAILURE(check(state));
        if (stepper_.terminal(state)) break;
        std::vector<Move> joint;
        for (std::size_t role = 0; role < stepper_.roles().size(); ++role) {
          const auto legal = stepper_.legal_moves(state, role);
          joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
        }
        state = stepper_.next_state(state, joint);
      }
    }
  }

 private:
  MachinePointer machine_;
  machine::Stepper stepper_;
  MutexGroups found_;
  std::vector<std::size_t> set_of_move_;
};

TEST(MutexGroups, OfTicTacToeAreTheCellsAndThePlayerToMove) {
  const MachinePointer machine = shipped("tic_tac_toe");
  const MutexGroups found = find_mutex_groups(machine, patient);
  EXPECT_TRUE(found.finished);
  std::set<Names> expected{{"(control x)", "(control o)"}};
  for (const std::string x : {"1", "2", "3"}) {
    for (const std::string y : {"1", "2", "3"}) {
      const std::string cell = "(cell " + x + " " + y;
      expected.insert({cell + " b)", cell + " o)", cell + " x)"});
    }
  }
  EXPECT_EQ(group_names(machine->game(), found, true), expected);
  EXPECT_TRUE(group_names(machine->game(), found, false).empty());
}

std::size_t exact_groups(const std::string& game) {
  const MutexGroups found = find_mutex_groups(shipped(game), patient);
  EXPECT_TRUE(std::all_of(found.groups.begin(), found.groups.end(),
                          [](const MutexGroup& group) { return group.exactly_one; }));
  return found.groups.size();
}

TEST(MutexGroups, OfBoardGamesAreTheCellsAndThePlayerToMove) {
  EXPECT_EQ(exact_groups("connect_four"), 42u + 1u);
  EXPECT_EQ(exact_groups("breakthrough"), 64u + 1u);
  EXPECT_EQ(exact_groups("othello"), 64u + 1u);
}

TEST(MutexGroups, OfAPuzzleIncludeTheStepCounter) {
  EXPECT_EQ(exact_groups("eight_puzzle"), 9u + 1u);
}

TEST(MutexGroups, JoinFunctorsOverTheSameCells) {
  const MachinePointer machine = testing::from_text(
      "(role r) (spot 1) (spot 2) (init (empty 1)) (init (empty 2))"
      "(<= (legal r (put ?x)) (spot ?x)) (<= (legal r (clear ?x)) (spot ?x))"
      "(<= (next (full ?x)) (does r (put ?x)))"
      "(<= (next (empty ?x)) (does r (clear ?x)))"
      "(<= (next (full ?x)) (true (full ?x)) (not (does r (clear ?x))))"
      "(<= (next (empty ?x)) (true (empty ?x)) (not (does r (put ?x))))"
      "(<= (goal r 0) (spot 1)) (<= terminal (true (full 1)) (true (full 2)))");
  const std::set<Names> expected{{"(empty 1)", "(full 1)"}, {"(empty 2)", "(full 2)"}};
  EXPECT_EQ(group_names(machine->game(), find_mutex_groups(machine, patient), true), expected);
}

// Lamps a and b alternate, until both are lit at the given step, if ever; the game ends at 400.
std::string lamps(const std::string& both_lit_at, const std::string& more = "") {
  std::string rules =
      "(role r) (init (step 0)) (init (lamp a)) (legal r wait) (goal r 0)"
      "(<= (next (lamp b)) (true (lamp a))) (<= (next (lamp a)) (true (lamp b)))"
      "(<= (next (lamp a)) (true (step " +
      both_lit_at +
      ")))"
      "(<= (next (lamp b)) (true (step " +
      both_lit_at +
      ")))"
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= terminal (true (step 400)))";
  for (int i = 0; i < 400; ++i) {
    rules += "(succ " + std::to_string(i) + " " + std::to_string(i + 1) + ")";
  }
  return rules + more;
}

bool lamps_are_a_group(const std::string& rules, const MutexOptions& options = patient) {
  const MachinePointer machine = testing::from_text(rules);
  return group_names(machine->game(), find_mutex_groups(machine, options), true)
      .contains({"(lamp a)", "(lamp b)"});
}

TEST(MutexGroups, AreNotClaimedWhenTheyFailLaterThanTheSamplesShow) {
  EXPECT_TRUE(lamps_are_a_group(lamps("never")));
  EXPECT_FALSE(lamps_are_a_group(lamps("399")));
}

TEST(MutexGroups, HoldAfterTerminalStatesOnlyIfRequested) {
  MutexOptions beyond = patient;
  beyond.past_terminal = true;
  EXPECT_TRUE(lamps_are_a_group(lamps("400")));
  EXPECT_FALSE(lamps_are_a_group(lamps("400"), beyond));
  EXPECT_TRUE(lamps_are_a_group(lamps("never"), beyond));
}

TEST(MutexGroups, WithoutTimeOnlyProvedGroupsAreReturned) {
  const MutexGroups found =
      find_mutex_groups(shipped("othello"), {.seconds = std::chrono::seconds(0)});
  EXPECT_FALSE(found.finished);
  EXPECT_TRUE(found.groups.empty());
  EXPECT_NE(found.summary.find("time limit reached"), std::string::npos);
}

// Two tokens swap cells ten times. There is a rule for every cell, token and move, 300,000 in
// total, and the proof takes more than five seconds.
MachinePointer many_tokens() {
  std::string rules =
      "(role r) (init (step 0)) (goal r 0) (<= terminal (true (step 10)))"
      "(<= (legal r (swap ?i ?j)) (place ?i) (place ?j) (distinct ?i ?j))"
      "(<= (next (at ?i ?t)) (does r (swap ?i ?j)) (true (at ?j ?t)))"
      "(<= (next (at ?j ?t)) (does r (swap ?i ?j)) (true (at ?i ?t)))"
      "(<= (next (at ?k ?t)) (does r (swap ?i ?j)) (true (at ?k ?t))"
      "    (distinct ?k ?i) (distinct ?k ?j))"
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))";
  for (int i = 0; i < 24; ++i) {
    const std::string number = std::to_string(i);
    rules += "(place " + number + ") (init (at " + number + " t" + number + "))";
    if (i < 10) rules += "(succ " + number + " " + std::to_string(i + 1) + ")";
  }
  return testing::from_text(rules);
}

void expect_an_early_end(const MachinePointer& machine, const MutexOptions& options) {
  const auto begin = testing::thread_time();
  Checker checker(machine, options);
  EXPECT_LT(testing::thread_time() - begin, std::chrono::seconds(3));
  EXPECT_FALSE(checker.found().finished);
  ASSERT_NO_FATAL_FAILURE(checker.check_random_games(2, 3));
}

TEST(MutexGroups, RespectTheTimeLimitAndHold) {
  const MachinePointer machine = many_tokens();
  for (const double seconds : {0.0, 0.001, 0.02, 0.1, 0.5}) {
    SCOPED_TRACE(seconds);
    const std::chrono::duration<double> time(seconds);
    expect_an_early_end(machine, {.seconds = time});
    expect_an_early_end(machine, {.seconds = patient.seconds, .limits = {time, std::nullopt}});
  }
}

TEST(MutexGroups, RespectCancellationAndHold) {
  const MachinePointer machine = many_tokens();
  for (const int looks : {0, 1, 3, 10, 30}) {
    SCOPED_TRACE(looks);
    int asked = 0;
    MutexOptions options = patient;
    options.limits.end_when([&] { return ++asked > looks; });
    expect_an_early_end(machine, options);
    EXPECT_GT(asked, looks);
  }
}

TEST(MutexGroups, RespectTheMemoryLimit) {
  const MutexGroups found = find_mutex_groups(
      many_tokens(), {.seconds = patient.seconds, .limits = {std::nullopt, std::size_t{1}}});
  EXPECT_FALSE(found.finished);
  EXPECT_TRUE(found.groups.empty());
  EXPECT_NE(found.summary.find("memory limit reached"), std::string::npos);
}

TEST(MutexGroups, HaveNoFluentInCommon) {
  const MachinePointer machine = shipped("fifteen_puzzle");
  const MutexGroups found = find_mutex_groups(machine, patient);
  std::set<Atom> members;
  for (const MutexGroup& group : found.groups) {
    for (const Atom fluent : group.fluents) EXPECT_TRUE(members.insert(fluent).second);
  }
  EXPECT_EQ(members.size(), machine->game().fluents.size());
}

TEST(MutexGroups, HoldInEveryReachableStateOfRandomGames) {
  std::size_t groups = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Checker checker(testing::from_text(testing::random_game(seed)));
    groups += checker.found().groups.size();
    ASSERT_NO_FATAL_FAILURE(checker.check_reachable(3'000));
  }
  EXPECT_GT(groups, 150u) << "games in which nothing is found test nothing";
}

// Claims that every pair of fluents is exclusive, and that every fluent holds: mostly false.
std::vector<Claim> mostly_false_claims(Atom fluents) {
  std::vector<Claim> claims;
  for (Atom a = 0; a < fluents; ++a) {
    claims.push_back({Claim::Kind::at_least_one, {a}});
    for (Atom b = 0; b < a; ++b) claims.push_back({Claim::Kind::at_most_one, {b, a}});
  }
  return claims;
}

bool holds_in(const Claim& claim, const State& state) {
  const auto holding = std::count_if(claim.fluents.begin(), claim.fluents.end(),
                                     [&](Atom fluent) { return state.test(fluent); });
  return claim.kind == Claim::Kind::at_most_one ? holding <= 1 : holding >= 1;
}

TEST(Induction, ProvesNothingFalseOfRandomGames) {
  std::size_t proved = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const MachinePointer machine = testing::from_text(testing::random_game(seed));
    const auto fluents = std::min<std::size_t>(machine->game().fluents.size(), 16);
    const std::vector<Claim> claims = mostly_false_claims(static_cast<Atom>(fluents));
    const Induction found = prove_by_induction(machine, StepRules(machine->game()), claims);
    machine::Stepper stepper(machine);
    const auto reachable = enumerate(stepper, {.max_states = 2'000, .limits = {}});
    for (std::size_t c = 0; c < claims.size(); ++c) {
      if (!found.proved[c]) continue;
      ++proved;
      for (const State& state : reachable.states) ASSERT_TRUE(holds_in(claims[c], state)) << c;
    }
  }
  EXPECT_GT(proved, 40u);
}

TEST(MutexGroups, HoldInReachableStatesAndRandomGamesOfShippedGames) {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ZERMELO_ROOT) + "/games")) {
    if (entry.path().extension() != ".kif") continue;
    SCOPED_TRACE(entry.path().filename().string());
    Checker checker(shipped(entry.path().stem().string()));
    ASSERT_NO_FATAL_FAILURE(checker.check_reachable(2'000));
    ASSERT_NO_FATAL_FAILURE(checker.check_random_games(5, 7));
  }
}

// Games of the optional collection; the numbers of groups are those of their boards.
TEST(MutexGroups, OfGamesWithHundredThousandsOfRules) {
  const auto folder =
      std::filesystem::path(ZERMELO_ROOT).parent_path() / "shared" / "games" / "games";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "needs " << folder;
  for (const auto& [name, groups] : {std::pair("breakthrough", 65u),
                                     {"reversi", 65u},
                                     {"othello-comp2007", 65u},
                                     {"chess_200", 67u}}) {
    SCOPED_TRACE(name);
    Checker checker(machine_of(testing::rulesheet_file(folder / (std::string(name) + ".kif"))));
    EXPECT_TRUE(checker.found().finished);
    EXPECT_EQ(checker.found().groups.size(), groups);
    ASSERT_NO_FATAL_FAILURE(checker.check_random_games(2, 11));
  }
}

std::vector<std::vector<Move>> sets_of_first_role(const MachinePointer& machine) {
  return exclusive_moves(machine->game(), 0, find_mutex_groups(machine, patient).groups);
}

TEST(ExclusiveMoves, ANoopSharesASetWithAMove) {
  EXPECT_EQ(sets_of_first_role(shipped("tic_tac_toe")).size(), 9u);
}

// A piece cannot move to a cell from which another piece of the same side can move.
TEST(ExclusiveMoves, PairMovesToACellWithMovesFromIt) {
  const auto sets = sets_of_first_role(shipped("breakthrough"));
  std::size_t moves = 0;
  for (const auto& set : sets) moves += set.size();
  EXPECT_EQ(moves, 155u);
  EXPECT_LE(sets.size(), 88u);
}

TEST(ExclusiveMoves, AreDeterministic) {
  const MachinePointer machine = shipped("checkers");
  EXPECT_EQ(sets_of_first_role(machine), sets_of_first_role(machine));
}

}  // namespace
}  // namespace zermelo::analysis
