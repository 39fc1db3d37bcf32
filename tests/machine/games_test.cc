// The shipped games: known numbers, recorded counts and playthroughs on both engines, and the
// conditions that every game must meet while it is played. scripts/record_games.sh writes the
// recordings anew by running these tests with ZERMELO_RECORD_GAMES set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unordered_set>

#include "games/layered_perft.h"
#include "games/playthrough.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "machine/playouts.h"
#include "reference/reference.h"
#include "support/load.h"

namespace zermelo::machine {
namespace {

const std::filesystem::path games_folder = ZERMELO_ROOT "/games";
const std::filesystem::path recordings_folder = ZERMELO_ROOT "/tests/games";
constexpr std::uint64_t playthrough_seed = 1;
constexpr std::size_t longest_playthrough = 1000;
constexpr std::size_t compared_depth = 4;
constexpr std::size_t small_layer = 2000;

bool recording() { return std::getenv("ZERMELO_RECORD_GAMES") != nullptr; }

// The names, without extension, of the files of a folder that have the extension.
std::vector<std::string> names_in(const std::filesystem::path& folder,
                                  const std::string& extension) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// The games with hidden information are in a folder of their own.
std::vector<std::string> hidden_names_in(const std::filesystem::path& folder,
                                         const std::string& extension) {
  std::vector<std::string> names = names_in(folder / "hidden", extension);
  for (std::string& name : names) name.insert(0, "hidden/");
  return names;
}

std::shared_ptr<const gdl::Rulesheet> shipped(const std::string& name) {
  return testing::rulesheet_file(games_folder / (name + ".kif"));
}

Stepper fast_engine(const std::string& name) {
  return Stepper(std::make_shared<const Machine>(ground::ground(shipped(name)).value()));
}

reference::Reference reference_engine(const std::string& name) {
  return reference::Reference::make(shipped(name)).value();
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path << " is missing; scripts/record_games.sh writes it";
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string as_text(const std::vector<PerftDepth>& counts) {
  std::string text = "depth sequences terminal\n";
  for (std::size_t depth = 0; depth < counts.size(); ++depth) {
    text += std::to_string(depth) + " " + std::to_string(counts[depth].sequences) + " " +
            std::to_string(counts[depth].terminal) + "\n";
  }
  return text;
}

// Depth 4, and on while the layers are small and not all games have ended.
std::vector<PerftDepth> counts_to_record(Stepper& engine) {
  constexpr std::size_t max_depths = 13;
  testing::LayeredPerft<Stepper> perft(engine);
  std::vector<PerftDepth> counts;
  do {
    counts.push_back(perft.next());
  } while (counts.size() <= compared_depth ||
           (perft.states_in_layer() <= small_layer && counts.size() < max_depths &&
            counts.back().sequences > counts.back().terminal));
  return counts;
}

// Up to depth 4, without a layer after a large one: the reference needs milliseconds for a state.
std::vector<PerftDepth> counts_to_compare(reference::Reference& engine) {
  testing::LayeredPerft<reference::Reference> perft(engine);
  std::vector<PerftDepth> counts;
  do {
    counts.push_back(perft.next());
  } while (counts.size() <= compared_depth && perft.states_in_layer() <= small_layer);
  return counts;
}

std::size_t recorded_depth(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) - 2;
}

class ShippedGame : public ::testing::TestWithParam<std::string> {
 protected:
  std::filesystem::path recording_of(const std::string& kind) const {
    return recordings_folder / (GetParam() + "." + kind);
  }
};

TEST_P(ShippedGame, HasTheRecordedCounts) {
  Stepper engine = fast_engine(GetParam());
  if (recording()) {
    std::ofstream(recording_of("perft")) << as_text(counts_to_record(engine));
    return;
  }
  const std::string recorded = read_text(recording_of("perft"));
  ASSERT_GE(recorded_depth(recorded), compared_depth);
  EXPECT_EQ(as_text(testing::layered_perft(engine, recorded_depth(recorded))), recorded);
}

TEST_P(ShippedGame, HasTheRecordedCountsOnTheReference) {
  reference::Reference engine = reference_engine(GetParam());
  const std::string counts = as_text(counts_to_compare(engine));
  EXPECT_EQ(read_text(recording_of("perft")).substr(0, counts.size()), counts);
}

TEST_P(ShippedGame, RepeatsTheRecordedPlaythrough) {
  Stepper engine = fast_engine(GetParam());
  const std::string text =
      testing::Playthrough(engine, playthrough_seed).record(longest_playthrough);
  if (recording()) std::ofstream(recording_of("playthrough")) << text;
  EXPECT_EQ(text, read_text(recording_of("playthrough")));
  reference::Reference reference = reference_engine(GetParam());
  EXPECT_EQ(testing::Playthrough(reference, playthrough_seed).record(longest_playthrough), text);
}

// Calls visit(state) for every state of some random games.
template <class Visit>
void visit_random_games(Stepper& engine, int games, Visit visit) {
  base::Random random(7);
  for (int game = 0; game < games; ++game) {
    State state = engine.initial_state();
    for (visit(state); !engine.terminal(state); visit(state)) {
      std::vector<Move> joint;
      for (const std::vector<Move>& legal : all_legal_moves(engine, state)) {
        ASSERT_FALSE(legal.empty()) << "a role has no move";
        joint.push_back(legal[random.below(static_cast<std::uint32_t>(legal.size()))]);
      }
      state = engine.next_state(state, joint);
    }
  }
}

TEST_P(ShippedGame, AlwaysHasMovesEndsAndGivesEveryRoleOneGoal) {
  Stepper engine = fast_engine(GetParam());
  visit_random_games(engine, 100, [&](const State& state) {
    if (!engine.terminal(state)) return;
    for (std::size_t role = 0; role < engine.roles().size(); ++role) {
      const bool plays = engine.roles()[role] != base::random_role;
      EXPECT_EQ(engine.goals(state, role).size(), plays ? 1u : 0u) << engine.roles()[role];
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Games, ShippedGame, ::testing::ValuesIn(names_in(games_folder, ".kif")),
                         [](const auto& parameter) { return parameter.param; });
INSTANTIATE_TEST_SUITE_P(HiddenGames, ShippedGame,
                         ::testing::ValuesIn(hidden_names_in(games_folder, ".kif")),
                         [](const auto& parameter) { return parameter.param.substr(7); });

TEST(ShippedGames, AreAllThere) {
  const std::vector<std::string> names = names_in(games_folder, ".kif");
  for (const char* name : {"tic_tac_toe",
                           "connect_four",
                           "nim",
                           "chomp",
                           "clobber",
                           "breakthrough",
                           "othello",
                           "checkers",
                           "sheep_and_wolf",
                           "catch_a_mouse",
                           "number_tic_tac_toe",
                           "double_tic_tac_toe",
                           "chinese_checkers_2",
                           "chinese_checkers_3",
                           "rock_paper_scissors",
                           "three_player_tic_tac_toe",
                           "eight_puzzle",
                           "fifteen_puzzle",
                           "towers_of_hanoi",
                           "peg_solitaire",
                           "blocks_world",
                           "lights_out",
                           "knights_tour",
                           "maze",
                           "pancakes",
                           "buttons",
                           "incredible"}) {
    EXPECT_TRUE(std::binary_search(names.begin(), names.end(), name)) << name;
  }
  EXPECT_EQ(names_in(recordings_folder, ".perft"), names);
  EXPECT_EQ(names_in(recordings_folder, ".playthrough"), names);
  const std::vector<std::string> hidden = hidden_names_in(games_folder, ".kif");
  EXPECT_TRUE(std::binary_search(hidden.begin(), hidden.end(), "hidden/two_generals"));
  EXPECT_EQ(hidden_names_in(recordings_folder, ".perft"), hidden);
  EXPECT_EQ(hidden_names_in(recordings_folder, ".playthrough"), hidden);
}

struct KnownCounts {
  std::string game;
  std::vector<std::uint64_t> sequences;  // by depth
};

class KnownPerft : public ::testing::TestWithParam<KnownCounts> {};

TEST_P(KnownPerft, IsCounted) {
  Stepper engine = fast_engine(GetParam().game);
  std::vector<std::uint64_t> sequences;
  for (const auto& depth : testing::layered_perft(engine, GetParam().sequences.size() - 1)) {
    sequences.push_back(depth.sequences);
  }
  EXPECT_EQ(sequences, GetParam().sequences);
}

// English draughts is counted elsewhere with a chain of jumps as one move, so the counts agree only
// before the first double jump, at depth 7.
INSTANTIATE_TEST_SUITE_P(
    Games, KnownPerft,
    ::testing::Values(
        KnownCounts{"tic_tac_toe", {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0}},
        KnownCounts{"connect_four", {1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234}},
        KnownCounts{"breakthrough", {1, 22, 484, 11132, 256036}},
        KnownCounts{"othello", {1, 4, 12, 56, 244, 1396, 8200, 55092}},
        KnownCounts{"checkers", {1, 7, 49, 302, 1469, 7361, 36768}}),
    [](const auto& parameter) { return parameter.param.game; });

// The fluents of a state, without those that begin with one of the words.
std::vector<std::string> board_of(const Stepper& engine, const State& state,
                                  std::string_view word) {
  std::vector<std::string> names = engine.fluent_names(state);
  std::erase_if(names,
                [&](const std::string& name) { return name.compare(1, word.size(), word) == 0; });
  return names;
}

// Plain enumeration: all states reachable from the start that differ in more than the fluent
// `word`.
std::size_t count_positions(const std::string& game, std::string_view word = "-") {
  Stepper engine = fast_engine(game);
  std::set<std::vector<std::string>> seen = {board_of(engine, engine.initial_state(), word)};
  std::vector<State> open = {engine.initial_state()};
  for (std::size_t i = 0; i < open.size(); ++i) {
    const State state = open[i];
    if (engine.terminal(state)) continue;
    for_each_joint_move(all_legal_moves(engine, state), [&](std::span<const Move> joint) {
      const State successor = engine.next_state(state, joint);
      if (seen.insert(board_of(engine, successor, word)).second) open.push_back(successor);
      return true;
    });
  }
  return seen.size();
}

TEST(KnownPositions, TicTacToe) { EXPECT_EQ(count_positions("tic_tac_toe"), 5478u); }

TEST(KnownPositions, EightPuzzleWithoutTheStepCounter) {
  EXPECT_EQ(count_positions("eight_puzzle", "step"), 181440u);
}

TEST(KnownPositions, TowersOfHanoiWithoutTheStepCounter) {
  EXPECT_EQ(count_positions("towers_of_hanoi", "step"), 243u);
}

TEST(KnownPositions, BlocksWorldWithoutTheStepCounter) {
  EXPECT_EQ(count_positions("blocks_world", "step"), 73u);
}

TEST(KnownPositions, PancakesWithoutTheStepCounter) {
  EXPECT_EQ(count_positions("pancakes", "step"), 720u);
}

}  // namespace
}  // namespace zermelo::machine
