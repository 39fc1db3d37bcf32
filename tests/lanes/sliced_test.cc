// Bit-sliced random play against Stepper: exactly, lane by lane, and by what comes out on average.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <tuple>

#include "analysis/exclusive_moves.h"
#include "ground/ground.h"
#include "lanes/sliced_leaf_playouts.h"
#include "lanes/sliced_playouts.h"
#include "support/compare_sliced.h"
#include "support/load.h"
#include "support/random_game.h"

namespace zermelo::lanes {
namespace {

using machine::State;

struct Engines {
  std::shared_ptr<const SlicedMachine> sliced;
  std::unique_ptr<SlicedCode> code;
  std::unique_ptr<machine::Stepper> stepper;
};

using MoveSets = std::vector<std::vector<std::uint32_t>>;

Engines make_engines(const std::shared_ptr<const gdl::Rulesheet>& rulesheet, LaneBackend backend,
                     bool observe, const MoveSets& exclusive_moves = {}) {
  auto game = ground::ground(rulesheet);
  if (!game) throw std::runtime_error(game.error().message);
  Engines engines;
  const auto machine = std::make_shared<const machine::Machine>(std::move(*game));
  engines.stepper = std::make_unique<machine::Stepper>(machine);
  SlicedOptions options;
  options.backend = backend;
  options.observe_moves = observe;
  options.exclusive_moves = exclusive_moves;
  auto sliced = SlicedMachine::make(machine->compiled(), options);
  if (!sliced) throw std::runtime_error(sliced.error().message);
  engines.sliced = std::move(*sliced);
  engines.code = std::make_unique<SlicedCode>(engines.sliced);
  return engines;
}

std::vector<std::string> kif_files(const std::string& folder) {
  std::vector<std::string> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".kif") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void expect_same(const std::shared_ptr<const gdl::Rulesheet>& rulesheet, const std::string& name,
                 LaneBackend backend, std::size_t steps, std::size_t lanes) {
  const Engines engines = make_engines(rulesheet, backend, true);
  const auto difference = testing::compare_sliced(*engines.code, *engines.stepper, steps, lanes, 5);
  EXPECT_FALSE(difference.has_value()) << name << ": " << *difference;
}

// Where the processor does not run the code of one, its programs are interpreted.
constexpr LaneBackend backends[] = {LaneBackend::interpreter, LaneBackend::avx2,
                                    LaneBackend::avx512};

TEST(Sliced, AgreesWithStepperOnRandomGames) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const LaneBackend backend = backends[seed % std::size(backends)];
    expect_same(testing::rulesheet(testing::random_game(seed)), "seed " + std::to_string(seed),
                backend, 30, 8);
  }
}

// Two literals of a conjunction of this game become one value on the way to operations.
TEST(Sliced, LiteralsMayBecomeTheSameValue) {
  expect_same(testing::rulesheet(testing::random_game(7028)), "7028", default_backend(), 60, 8);
}

TEST(Sliced, AgreesWithStepperOnShippedGames) {
  const std::vector<std::string> files = kif_files(ZERMELO_ROOT "/games");
  ASSERT_FALSE(files.empty());
  for (const std::string& file : files)
    expect_same(testing::rulesheet_file(file), file, default_backend(), 150, 5);
}

// Two moves that are never legal together on one leaf: the same moves, chosen from fewer leaves.
TEST(Sliced, ExclusiveMovesShareALeaf) {
  const auto rulesheet = testing::rulesheet(
      "(role r) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4) (<= (legal r (go ?y)) (true (at "
      "?x)) (succ ?x ?y))\n"
      "(<= (legal r stay)) (<= (next (at ?y)) (does r (go ?y))) (<= (next (at ?x)) (true (at ?x)) "
      "(does r stay))\n"
      "(<= terminal (true (at 4))) (<= (goal r 100))");
  const Engines plain = make_engines(rulesheet, default_backend(), true);
  const ground::Game& game = plain.sliced->game();
  MoveSets sets(1);
  for (std::uint32_t move = 0; move < game.moves.size(); ++move) {
    if (game.move_name(move) != "stay") sets[0].push_back(move);
  }
  ASSERT_EQ(sets[0].size(), 3u);
  const Engines shared = make_engines(rulesheet, default_backend(), true, sets);
  EXPECT_LT(shared.sliced->operations(), plain.sliced->operations());
  const auto difference = testing::compare_sliced(*shared.code, *shared.stepper, 300, 16, 5);
  EXPECT_FALSE(difference.has_value()) << *difference;
  const machine::PlayoutResult played =
      play_sliced(*shared.code, {.count = 100'000, .seconds = {}});
  EXPECT_NEAR(played.mean_depth, 6.0, 0.05);  // three goes, each after as many stays on average
}

// In the white phase the next value of f is selected together with that of h, which nothing
// observes.
TEST(Sliced, ConditionsOfFluentsThatDoNotMatterAreHarmless) {
  const auto rulesheet = testing::rulesheet(
      "(role r) (init white) (<= (next black) (true white)) (<= (next white) (true black))\n"
      "(legal r m1) (legal r m2) (legal r m3) (legal r m9) (goal r 100) (<= terminal (true f))\n"
      "(<= (next a) (does r m1)) (<= (next b) (does r m2)) (<= (next c) (does r m3))\n"
      "(<= (next k) (does r m9)) (<= (next f) (does r m1) (true a)) (<= (next f) (does r m2) (true "
      "b))\n"
      "(<= (next f) (does r m3) (true c)) (<= (next h) (does r m1) (true a))\n"
      "(<= (next h) (does r m9) (true k)) (<= (next h) (does r m2) (true k) (true black))");
  expect_same(rulesheet, "dead fluents", default_backend(), 60, 16);
}

TEST(Sliced, ThreadsShareTheGames) {
  const Engines engines = make_engines(
      testing::rulesheet_file(ZERMELO_ROOT "/games/tic_tac_toe.kif"), default_backend(), false);
  const machine::PlayoutOptions options{.count = 10'001, .seconds = {}};
  const machine::PlayoutResult once = play_sliced(*engines.code, options, 3),
                               again = play_sliced(*engines.code, options, 3);
  EXPECT_EQ(once.playouts, 10'001u);
  EXPECT_EQ(once.signature, again.signature);
  EXPECT_EQ(once.states, again.states);
  EXPECT_NEAR(once.mean_depth, play_sliced(*engines.code, options).mean_depth, 0.1);
}

TEST(Sliced, ExecutorsPlayTheSameGames) {
  for (const char* name :
       {"tic_tac_toe", "breakthrough", "othello", "rock_paper_scissors", "eight_puzzle"}) {
    const auto rulesheet =
        testing::rulesheet_file(std::string(ZERMELO_ROOT "/games/") + name + ".kif");
    const auto play = [&](LaneBackend backend, std::uint64_t seed) {
      return play_sliced(*make_engines(rulesheet, backend, false).code,
                         {.count = 2000, .seconds = {}, .seed = seed});
    };
    const machine::PlayoutResult interpreted = play(LaneBackend::interpreter, 9);
    EXPECT_EQ(interpreted.playouts, 2000u) << name;
    EXPECT_NE(interpreted.signature, play(LaneBackend::interpreter, 10).signature) << name;
    for (const LaneBackend backend : backends) {
      const machine::PlayoutResult result = play(backend, 9);
      EXPECT_EQ(result.signature, interpreted.signature) << name;
      EXPECT_EQ(result.states, interpreted.states) << name;
    }
  }
}

// Means over enough games that a bias of a few percent shows.
TEST(Sliced, MeansAgreeWithStepper) {
  for (const char* name : {"tic_tac_toe", "nim", "rock_paper_scissors", "double_tic_tac_toe",
                           "three_player_tic_tac_toe"}) {
    const Engines engines =
        make_engines(testing::rulesheet_file(std::string(ZERMELO_ROOT "/games/") + name + ".kif"),
                     default_backend(), false);
    const machine::PlayoutResult sliced =
        play_sliced(*engines.code, {.count = 200'000, .seconds = {}});
    const machine::PlayoutResult stepped =
        playouts(*engines.stepper, {.count = 10'000, .seconds = {}});
    EXPECT_EQ(sliced.playouts, 200'000u) << name;
    EXPECT_EQ(sliced.stuck + sliced.abandoned, 0u) << name;
    EXPECT_NEAR(sliced.mean_depth, stepped.mean_depth, 0.02 * stepped.mean_depth + 0.02) << name;
    for (std::size_t role = 0; role < sliced.mean_goals.size(); ++role) {
      EXPECT_NEAR(sliced.mean_goals[role], stepped.mean_goals[role], 2.5) << name;
    }
  }
}

// Makes random moves until the game is over, at most so many.
State play_on(machine::Stepper& stepper, State state, base::Random& random, std::uint32_t moves) {
  for (; moves > 0 && !stepper.terminal(state); --moves) {
    std::vector<base::Move> joint;
    for (std::size_t role = 0; role < stepper.roles().size(); ++role) {
      const std::vector<base::Move> legal = stepper.legal_moves(state, role);
      joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
    }
    state = stepper.next_state(state, joint);
  }
  return state;
}

// How often each move is made, by state and group of 64 lanes.
using MoveCounts = std::map<std::tuple<std::size_t, std::size_t, base::Move>, double>;

constexpr std::size_t rounds = 4000;

// Makes one step in every round, the lanes in the states in turn, all of the first phase.
MoveCounts count_moves(const Engines& engines, const std::vector<State>& states) {
  SlicedGames games(*engines.code, 3);
  std::vector<Lanes> lanes_in(states.size(), Lanes{});
  for (std::size_t lane = 0; lane < lane_count; ++lane) {
    games.set_state(0, lane, states[lane % states.size()]);
    lanes_in[lane % states.size()][lane / 64] |= std::uint64_t{1} << lane % 64;
  }
  std::vector<Lanes> start;
  for (const Slot slot : games.phase(0).state) start.push_back(games.frame()[slot]);
  MoveCounts counts;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < start.size(); ++i)
      games.frame()[games.phase(0).state[i]] = start[i];
    Lanes can_move;
    games.begin_step(0, can_move);
    games.end_step(0);
    for (base::Move move = 0; move < games.machine().game().moves.size(); ++move) {
      const Lanes& made = games.frame()[games.phase(0).does[move]];
      for (std::size_t state = 0; state < states.size() && any(made); ++state) {
        for (std::size_t word = 0; word < lane_words; ++word) {
          const int count = std::popcount(made[word] & lanes_in[state][word]);
          if (count > 0) counts[{state, word, move}] += count;
        }
      }
    }
  }
  return counts;
}

// Every legal move of every role equally often, in every state and group of 64 lanes.
void expect_uniform(const Engines& engines, const std::vector<State>& states,
                    const std::string& name) {
  const MoveCounts counts = count_moves(engines, states);
  double chi_squared = 0, freedom = 0;
  std::size_t cells = 0;
  for (std::size_t state = 0; state < states.size(); ++state) {
    for (std::size_t role = 0; role < engines.stepper->roles().size(); ++role) {
      const std::vector<base::Move> legal = engines.stepper->legal_moves(states[state], role);
      const double expected = rounds * 64.0 / static_cast<double>(states.size() * legal.size());
      for (std::size_t word = 0; word < lane_words; ++word) {
        for (const base::Move move : legal) {
          const auto found = counts.find({state, word, move});
          const double count = found == counts.end() ? 0 : found->second;
          chi_squared += (count - expected) * (count - expected) / expected;
        }
      }
      cells += legal.size() * lane_words;
      freedom += static_cast<double>((legal.size() - 1) * lane_words);
    }
  }
  EXPECT_EQ(counts.size(), cells) << name;
  EXPECT_LT(chi_squared, freedom + 4 * std::sqrt(2 * freedom) + 1e-9) << name;
}

// States of the first phase in which the game goes on, with different numbers of legal moves.
std::vector<State> states_of_first_phase(const Engines& engines, std::size_t count) {
  base::Random random(6);
  std::vector<State> states;
  while (states.size() < count) {
    machine::Stepper& stepper = *engines.stepper;
    State state = play_on(stepper, stepper.initial_state(), random, random.below(9));
    if (!stepper.terminal(state) && engines.sliced->phase_of(state) == 0)
      states.push_back(std::move(state));
  }
  return states;
}

// With every move on a leaf of its own, and as the program plays.
TEST(Sliced, MovesAreChosenUniformly) {
  for (const char* name : {"tic_tac_toe", "breakthrough", "rock_paper_scissors", "chomp",
                           "connect_four", "peg_solitaire"}) {
    const auto rulesheet =
        testing::rulesheet_file(std::string(ZERMELO_ROOT "/games/") + name + ".kif");
    const Engines plain = make_engines(rulesheet, default_backend(), true);
    const Engines shared = make_engines(rulesheet, default_backend(), true,
                                        analysis::exclusive_moves(plain.sliced->game()));
    for (const Engines* engines : {&plain, &shared}) {
      expect_uniform(*engines, {engines->stepper->initial_state()}, name);
      expect_uniform(*engines, states_of_first_phase(*engines, 8), name);
    }
  }
}

// Terminal states have their goals at depth 0; over many playouts each state's mean is Stepper's.
TEST(Sliced, PlayoutsFromGivenStates) {
  for (const char* name :
       {"tic_tac_toe", "othello", "nim", "rock_paper_scissors", "eight_puzzle"}) {
    const Engines engines =
        make_engines(testing::rulesheet_file(std::string(ZERMELO_ROOT "/games/") + name + ".kif"),
                     default_backend(), false);
    machine::Stepper& stepper = *engines.stepper;
    base::Random random(4);
    SlicedLeafPlayouts playouts(*engines.code, 8);
    std::vector<State> states;
    for (int i = 0; i < 300; ++i)
      states.push_back(play_on(stepper, stepper.initial_state(), random, random.below(70)));
    const std::vector<LeafPlayout> played = playouts.play(states);
    ASSERT_EQ(played.size(), states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      ASSERT_EQ(played[i].outcome, LeafPlayout::Outcome::ended) << name;
      const bool over = stepper.terminal(states[i]);
      EXPECT_EQ(over, played[i].depth == 0) << name;
      for (std::size_t role = 0; over && role < stepper.roles().size(); ++role) {
        EXPECT_EQ(played[i].goals[role], stepper.goals(states[i], role).front()) << name;
      }
    }
    const State middle = play_on(stepper, stepper.initial_state(), random, 3);
    double sliced = 0, stepped = 0;
    for (const LeafPlayout& playout : playouts.play(std::vector<State>(20'000, middle)))
      sliced += playout.goals[0];
    for (int i = 0; i < 1000; ++i) {
      stepped += stepper.goals(play_on(stepper, middle, random, 10'000), 0).front();
    }
    EXPECT_NEAR(sliced / 20'000, stepped / 1000, 7) << name;
  }
}

// And plays on as before.
TEST(Sliced, RolloutsAreAbandonedWhenTold) {
  const Engines engines = make_engines(testing::rulesheet_file(ZERMELO_ROOT "/games/othello.kif"),
                                       default_backend(), false);
  const std::vector<State> states(600, engines.stepper->initial_state());
  SlicedLeafPlayouts playouts(*engines.code, 8);
  std::stop_source stop;
  stop.request_stop();
  for (const LeafPlayout& playout : playouts.play(states, stop.get_token())) {
    EXPECT_EQ(playout.outcome, LeafPlayout::Outcome::abandoned);
  }
  for (const LeafPlayout& playout : playouts.play(states)) {
    EXPECT_EQ(playout.outcome, LeafPlayout::Outcome::ended);
    EXPECT_GT(playout.depth, 9u);
  }
}

// In tic-tac-toe the marks of a game determine its end.
TEST(Sliced, RecordedMovesLeadToTheGoals) {
  const auto rulesheet = testing::rulesheet_file(ZERMELO_ROOT "/games/tic_tac_toe.kif");
  for (const LaneBackend backend : backends) {
    const auto machine = std::make_shared<const machine::Machine>(*ground::ground(rulesheet));
    SlicedOptions options;
    options.backend = backend;
    options.observe_chosen_moves = true;
    const auto code = make_sliced_code(machine->compiled(), options).value();
    machine::Stepper stepper(machine);
    base::Random random(3);
    std::vector<State> states;
    for (std::size_t i = 0; i < lane_count; ++i) {
      states.push_back(play_on(stepper, stepper.initial_state(), random, random.below(4)));
    }
    SlicedLeafPlayouts playouts(*code, 8);
    for (int round = 0; round < 2; ++round) {
      const std::vector<LeafPlayout>& played = playouts.play(states);
      for (std::size_t i = 0; i < states.size(); ++i) {
        const auto is_made = [&](machine::Move move) {
          return (*playouts.made())[move][i / 64] >> (i % 64) & 1;
        };
        std::uint32_t marks = 0;
        for (std::size_t role = 0; role < 2; ++role) {
          for (const machine::Move move : machine->moves(role)) {
            marks += machine->move_name(move) != "noop" && is_made(move);
          }
        }
        EXPECT_EQ(marks, played[i].depth);
        State state = states[i];
        while (!stepper.terminal(state)) {  // in any order
          std::vector<machine::Move> joint;
          for (std::size_t role = 0; role < 2; ++role) {
            const std::vector<machine::Move> legal = stepper.legal_moves(state, role);
            const auto made = std::ranges::find_if(legal, is_made);
            ASSERT_NE(made, legal.end());
            joint.push_back(*made);
          }
          state = stepper.next_state(state, joint);
        }
        for (std::size_t role = 0; role < 2; ++role) {
          EXPECT_EQ(played[i].goals[role], stepper.goals(state, role).front());
        }
      }
    }
  }
}

TEST(Sliced, StuckAndEndlessGamesAreOrdinaryOutcomes) {
  const auto stuck = testing::rulesheet(
      "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (true a)) (<= terminal (true c)) "
      "(<= (goal r 0))");
  const machine::PlayoutResult dead = play_sliced(
      *make_engines(stuck, default_backend(), false).code, {.count = 300, .seconds = {}});
  EXPECT_EQ(dead.stuck, 300u);
  EXPECT_EQ(dead.playouts, 0u);
  const auto endless = testing::rulesheet(
      "(role r) (init a) (<= (legal r go)) (<= (next a) (true a)) (<= terminal (true c)) (<= (goal "
      "r 0))");
  const machine::PlayoutResult long_ =
      play_sliced(*make_engines(endless, default_backend(), false).code,
                  {.count = 300, .seconds = {}, .seed = 1, .max_depth = 50});
  EXPECT_EQ(long_.abandoned, 300u);
}

// Half of the games end with their first move, the others make three and are then stuck.
TEST(Sliced, StuckGamesDoNotCountInTheMeanDepth) {
  const auto rules = testing::rulesheet(
      "(role r) (init (s 1)) (succ 1 2) (succ 2 3) (succ 3 4) (<= terminal (true done)) (goal r 0) "
      "(<= (legal r go) (true (s ?n)) (succ ?n ?m)) (<= (legal r stop) (true (s 1))) "
      "(<= (next done) (does r stop)) "
      "(<= (next (s ?m)) (does r go) (true (s ?n)) (succ ?n ?m))");
  const machine::PlayoutResult result = play_sliced(
      *make_engines(rules, default_backend(), false).code, {.count = 2'000, .seconds = {}});
  EXPECT_EQ(result.playouts + result.stuck, 2'000u);
  EXPECT_GT(result.stuck, 800u);
  EXPECT_EQ(result.mean_depth, 1);
  EXPECT_EQ(result.states, result.playouts + 3 * result.stuck);
}

}  // namespace
}  // namespace zermelo::lanes
