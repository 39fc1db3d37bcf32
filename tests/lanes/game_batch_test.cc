// Batches of games against Stepper, game by game.
#include "lanes/game_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/reward.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::lanes {
namespace {

using machine::State;
using Moves = std::vector<std::int32_t>;

struct Subject {
  std::shared_ptr<const machine::Machine> machine;
  std::shared_ptr<const BatchCode> code;
  std::vector<bool> acting;
};

Subject subject(const std::shared_ptr<const gdl::Rulesheet>& rulesheet,
                LaneBackend backend = default_backend()) {
  auto game = ground::ground(rulesheet);
  if (!game) throw std::runtime_error(game.error().message);
  Subject subject{std::make_shared<const machine::Machine>(std::move(*game)), nullptr, {}};
  BatchOptions options;
  options.backend = backend;
  for (std::size_t role = 0; role < subject.machine->roles().size(); ++role) {
    const auto moves = subject.machine->moves(role);
    options.moves.emplace_back(moves.begin(), moves.end());
  }
  for (machine::Move move = 0; move < subject.machine->game().moves.size(); ++move)
    subject.acting.push_back(subject.machine->move_name(move) != "noop");
  options.acting = subject.acting;
  auto code = BatchCode::make(*subject.machine->compiled(), options);
  if (!code) throw std::runtime_error(code.error().message);
  subject.code = std::move(*code);
  return subject;
}

// The games of a batch, each on its own: what the batch must agree with.
class Twin {
 public:
  Twin(const Subject& subject, std::size_t games, bool restart)
      : subject_(subject),
        stepper_(subject.machine),
        restart_(restart),
        states_(games, stepper_.initial_state()),
        over_(games, 0),
        rewards_(games * roles()) {}

  std::size_t roles() const { return subject_.machine->roles().size(); }
  const std::vector<State>& states() const { return states_; }
  const std::vector<std::uint8_t>& over() const { return over_; }
  const std::vector<std::int32_t>& rewards() const { return rewards_; }

  std::vector<machine::Move> legal(std::size_t game, std::size_t role) {
    if (stepper_.terminal(states_[game])) return {};
    return stepper_.legal_moves(states_[game], role);
  }

  bool is_over(std::size_t game) {
    for (std::size_t role = 0; role < roles(); ++role)
      if (legal(game, role).empty()) return true;
    return false;
  }

  int turn(std::size_t game) {
    if (is_over(game)) return -1;
    std::vector<int> deciding, acting;
    for (std::size_t role = 0; role < roles(); ++role) {
      const auto moves = legal(game, role);
      if (moves.size() > 1) deciding.push_back(static_cast<int>(role));
      if (std::any_of(moves.begin(), moves.end(), [&](auto m) { return subject_.acting[m]; }))
        acting.push_back(static_cast<int>(role));
    }
    if (deciding.size() == 1) return deciding[0];
    return deciding.empty() && !acting.empty() ? acting[0] : -1;
  }

  void step(const Moves& moves) {
    std::fill(rewards_.begin(), rewards_.end(), 0);
    for (std::size_t game = 0; game < states_.size(); ++game) {
      if (is_over(game)) continue;
      over_[game] = 0;
      std::vector<machine::Move> joint;
      for (std::size_t role = 0; role < roles(); ++role) {
        const std::int32_t move = moves[game * roles() + role];
        joint.push_back(move == forced_move
                            ? legal(game, role).front()
                            : subject_.machine->moves(role)[static_cast<std::size_t>(move)]);
      }
      states_[game] = stepper_.next_state(states_[game], joint);
      if (is_over(game)) end(game);
    }
  }

 private:
  void end(std::size_t game) {
    over_[game] = 1;
    if (stepper_.terminal(states_[game])) {
      for (std::size_t role = 0; role < roles(); ++role)
        rewards_[game * roles() + role] = base::reward_of(stepper_.goals(states_[game], role));
    }
    if (restart_) states_[game] = stepper_.initial_state();
  }

  const Subject& subject_;
  machine::Stepper stepper_;
  bool restart_;
  std::vector<State> states_;
  std::vector<std::uint8_t> over_;
  std::vector<std::int32_t> rewards_;
};

void expect_same(const Subject& subject, const GameBatch& batch, Twin& twin) {
  const std::size_t games = batch.games(), roles = batch.roles();
  for (std::size_t role = 0; role < roles; ++role) {
    const auto moves = subject.machine->moves(role);
    std::vector<std::uint8_t> legal(games * moves.size()), expected(games * moves.size());
    batch.legal(role, legal);
    for (std::size_t game = 0; game < games; ++game) {
      const auto allowed = twin.legal(game, role);
      for (std::size_t rank = 0; rank < moves.size(); ++rank)
        expected[game * moves.size() + rank] =
            std::count(allowed.begin(), allowed.end(), moves[rank]) != 0;
    }
    ASSERT_EQ(legal, expected) << "role " << role;
  }
  std::vector<std::int8_t> turns(games);
  batch.turns(turns);
  std::vector<std::uint8_t> of_turns(games * batch.most_moves());
  batch.legal_of_turns(of_turns);
  const std::size_t fluents = subject.machine->game().fluents.size();
  std::vector<std::uint8_t> holds(games * fluents);
  batch.fluents(holds);
  for (std::size_t game = 0; game < games; ++game) {
    ASSERT_EQ(batch.state(game), twin.states()[game]) << "game " << game;
    ASSERT_EQ(turns[game], twin.turn(game)) << "game " << game;
    for (std::size_t fluent = 0; fluent < fluents; ++fluent)
      ASSERT_EQ(holds[game * fluents + fluent] != 0, twin.states()[game].test(fluent));
    const std::size_t shown =
        turns[game] < 0 ? 0 : twin.legal(game, static_cast<std::size_t>(turns[game])).size();
    const auto first = of_turns.begin() + static_cast<std::ptrdiff_t>(game * batch.most_moves());
    ASSERT_EQ(std::accumulate(first, first + static_cast<std::ptrdiff_t>(batch.most_moves()),
                              std::size_t{0}),
              shown);
  }
}

void expect_same_results(const GameBatch& batch, const Twin& twin) {
  std::vector<std::uint8_t> over(batch.games());
  batch.over(over);
  ASSERT_EQ(over, twin.over());
  std::vector<std::int32_t> rewards(batch.games() * batch.roles());
  batch.rewards(rewards);
  ASSERT_EQ(rewards, twin.rewards());
}

// Without `restart`, `over` of the twin keeps its value; with it, only the last step counts.
void compare(const Subject& subject, std::size_t games, bool restart, int steps) {
  GameBatch batch(subject.code, {games, 7, restart});
  Twin twin(subject, games, restart);
  Moves moves(games * batch.roles());
  for (int i = 0; i < steps; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_same(subject, batch, twin)) << "step " << i;
    batch.sample(moves);
    ASSERT_FALSE(batch.step(moves).has_value()) << "step " << i;
    twin.step(moves);
    ASSERT_NO_FATAL_FAILURE(expect_same_results(batch, twin)) << "step " << i;
  }
}

constexpr LaneBackend batch_backends[] = {LaneBackend::interpreter, LaneBackend::avx2,
                                          LaneBackend::avx512};

TEST(GameBatch, AgreesWithStepperOnRandomGames) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Subject games =
        subject(testing::rulesheet(testing::random_game(seed)), batch_backends[seed % 3]);
    ASSERT_NO_FATAL_FAILURE(compare(games, seed % 7 == 0 ? 300 : 5, seed % 2 == 0, 25))
        << "seed " << seed;
  }
}

TEST(GameBatch, AgreesWithStepperOnShippedGames) {
  for (const char* name : {"tic_tac_toe", "breakthrough", "connect_four", "three_player_nim",
                           "rock_paper_scissors", "goofspiel", "chinese_checkers_3", "pancakes"}) {
    const Subject games = subject(testing::shipped_rules(name));
    ASSERT_NO_FATAL_FAILURE(compare(games, 6, true, 40)) << name;
    ASSERT_NO_FATAL_FAILURE(compare(games, 3, false, 40)) << name;
  }
}

TEST(GameBatch, MovesOfTheRoleToMoveAreEnough) {
  const Subject games = subject(testing::shipped_rules("tic_tac_toe"));
  GameBatch batch(games.code, {300, 3, true});
  Twin twin(games, 300, true);
  Moves turns(300), moves(600);
  for (int i = 0; i < 30; ++i) {
    batch.sample_turns(turns);
    for (std::size_t game = 0; game < 300; ++game) {
      const auto turn = static_cast<std::size_t>(twin.turn(game));
      moves[2 * game + turn] = turns[game];
      moves[2 * game + 1 - turn] = forced_move;
    }
    ASSERT_FALSE(batch.step_turns(turns).has_value());
    twin.step(moves);
    ASSERT_NO_FATAL_FAILURE(expect_same_results(batch, twin));
    ASSERT_NO_FATAL_FAILURE(expect_same(games, batch, twin));
  }
}

TEST(GameBatch, IllegalMovesAreFoundAndChangeNothing) {
  const Subject games = subject(testing::shipped_rules("tic_tac_toe"));
  GameBatch batch(games.code, {600, 1, true});
  const auto moves_of_x = static_cast<std::int32_t>(games.machine->moves(0).size());
  for (const std::int32_t wrong : {forced_move, moves_of_x, -2, 1 << 30}) {
    Moves moves(1200, forced_move);
    for (std::size_t game = 0; game < 600; ++game) moves[2 * game] = 0;
    moves[2 * 555] = wrong;
    const auto illegal = batch.step(moves);
    ASSERT_TRUE(illegal.has_value()) << wrong;
    EXPECT_EQ(illegal->game, 555u) << wrong;
    EXPECT_EQ(illegal->role, 0u) << wrong;
    EXPECT_EQ(batch.state(0), batch.state(555));
    Moves turns(600, 0);
    turns[555] = wrong;
    ASSERT_TRUE(batch.step_turns(turns).has_value()) << wrong;
    EXPECT_EQ(batch.step_turns(turns)->game, 555u) << wrong;
  }
}

// A rank that only another role has, with more bits than those of the role to move.
TEST(GameBatch, RanksOfTheOtherRoleAreIllegal) {
  const Subject games = subject(testing::rulesheet(
      "(role small) (role large) (init (turn small)) (num 1) (num 2) (num 3) (num 4) (num 5)\n"
      "(<= (legal small (go 1)) (true (turn small))) (<= (legal small (go 2)) (true (turn "
      "small)))\n"
      "(<= (legal large (go ?n)) (num ?n) (true (turn large)))\n"
      "(<= (legal large noop) (true (turn small))) (<= (legal small noop) (true (turn large)))\n"
      "(<= (next (turn large)) (true (turn small))) (<= (next (turn small)) (true (turn large)))\n"
      "(<= terminal (true (turn nobody))) (init (seen 0)) (goal small 0) (goal large 0)"));
  GameBatch batch(games.code, {1, 1, true});
  for (std::int32_t rank = 0; rank < 6; ++rank) {
    const Moves turns{rank};
    if (rank < 2) continue;
    EXPECT_TRUE(batch.step_turns(turns).has_value()) << rank;
  }
  EXPECT_FALSE(batch.step_turns(Moves{1}).has_value());
  EXPECT_FALSE(batch.step_turns(Moves{4}).has_value());
}

TEST(GameBatch, ChoicesAreUniform) {
  const Subject games = subject(testing::shipped_rules("tic_tac_toe"));
  constexpr std::size_t count = 90'000;
  GameBatch batch(games.code, {count, 11, true});
  Moves moves(2 * count);
  batch.sample(moves);
  std::map<std::int32_t, std::size_t> seen;
  for (std::size_t game = 0; game < count; ++game) ++seen[moves[2 * game]];
  ASSERT_EQ(seen.size(), 9u);
  for (const auto& [move, times] : seen) EXPECT_NEAR(static_cast<double>(times), 10'000.0, 500.0);
}

TEST(GameBatch, PlaysRandomGames) {
  const Subject games = subject(testing::shipped_rules("tic_tac_toe"));
  GameBatch batch(games.code, {1000, 5, true});
  std::vector<std::int64_t> totals(2);
  const std::uint64_t ended = batch.play(200, totals);
  // Known means of random play: 0.585 wins of x, 0.127 draws, 7.63 moves.
  EXPECT_NEAR(static_cast<double>(ended), 200.0 * 1000 / 7.63, 800.0);
  EXPECT_NEAR(static_cast<double>(totals[0]) / static_cast<double>(ended), 64.8, 1.0);
  EXPECT_NEAR(static_cast<double>(totals[0] + totals[1]) / static_cast<double>(ended), 100.0, 1e-9);
}

TEST(GameBatch, StatesCanBeSetAndReset) {
  const Subject games = subject(testing::shipped_rules("connect_four"));
  GameBatch batch(games.code, {300, 5, false}), other(games.code, {300, 6, false});
  std::vector<std::int64_t> totals(2);
  batch.play(10, totals);
  for (std::size_t game = 0; game < 300; ++game) other.set_state(game, batch.state(game));
  std::vector<std::int8_t> turns(300), other_turns(300);
  batch.turns(turns);
  other.turns(other_turns);
  EXPECT_EQ(turns, other_turns);
  const State initial = machine::Stepper(games.machine).initial_state();
  std::vector<std::uint8_t> marked(300, 1);
  marked[17] = 0;
  batch.reset(marked);
  for (std::size_t game = 0; game < 300; ++game)
    EXPECT_EQ(batch.state(game) == initial, game != 17) << game;
}

}  // namespace
}  // namespace zermelo::lanes
