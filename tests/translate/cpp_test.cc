// Compiles generated programs with the system compiler, runs them and compares them with the
// engines. They play the same random games as machine::playouts, so all counts and means are
// exactly equal.
#include "translate/cpp.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "games/playthrough.h"
#include "ground/ground.h"
#include "machine/machine.h"
#include "machine/perft.h"
#include "machine/playouts.h"
#include "support/load.h"
#include "support/random_game.h"
#include "translate/cpp_names.h"

namespace zermelo::translate {
namespace {

constexpr std::size_t depth = 3;
constexpr std::uint64_t games = 1000;
constexpr std::uint64_t seed = 0x9e3779b97f4a7c15u;  // not representable as a double
constexpr std::size_t longest_playthrough = 1000;

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  for (std::size_t size; (size = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    text.append(buffer.data(), size);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return text;
}

// A program generated from a game, in a temporary folder.
class Program {
 public:
  explicit Program(const ground::Game& game) {
    std::string pattern = (std::filesystem::temp_directory_path() / "zermelo_cpp_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::ofstream(folder_ / "game.cc") << *to_cpp(game);
    output_of("c++ -O1 -std=c++17 -Wall -Wextra -Werror -o " + (folder_ / "game").string() + " " +
              (folder_ / "game.cc").string());
  }
  ~Program() { std::filesystem::remove_all(folder_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::string run(const std::string& arguments) const {
    return output_of((folder_ / "game").string() + " " + arguments);
  }

 private:
  std::filesystem::path folder_;
};

std::string as_text(const machine::PerftResult& result) {
  std::string text = "depth sequences terminal\n";
  for (std::size_t d = 0; d < result.depths.size(); ++d) {
    text += std::to_string(d) + " " + std::to_string(result.depths[d].sequences) + " " +
            std::to_string(result.depths[d].terminal) + "\n";
  }
  return text;
}

// Lines "name value", or "mean_goal role value".
std::map<std::string, double> values_in(const std::string& text) {
  std::map<std::string, double> values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = line.rfind(' ');
    values[line.substr(0, space)] = std::stod(line.substr(space + 1));
  }
  return values;
}

void compare_playouts(const Program& program, machine::Stepper& engine) {
  machine::PlayoutOptions options;
  options.count = games;
  options.seed = seed;
  const machine::PlayoutResult expected = machine::playouts(engine, options);
  auto actual =
      values_in(program.run("playouts " + std::to_string(games) + " " + std::to_string(seed)));
  EXPECT_EQ(actual["playouts"], static_cast<double>(expected.playouts));
  EXPECT_EQ(actual["abandoned"], static_cast<double>(expected.abandoned));
  EXPECT_EQ(actual["stuck"], static_cast<double>(expected.stuck));
  EXPECT_EQ(actual["states"], static_cast<double>(expected.states));
  EXPECT_NEAR(actual["mean_depth"], expected.mean_depth, 1e-8);
  for (std::size_t role = 0; role < engine.roles().size(); ++role) {
    EXPECT_NEAR(actual["mean_goal " + engine.roles()[role]], expected.mean_goals[role], 1e-8);
  }
}

struct Twins {
  explicit Twins(const std::shared_ptr<const gdl::Rulesheet>& rulesheet)
      : game(ground::ground(rulesheet).value()),
        engine(std::make_shared<const machine::Machine>(game)),
        program(game) {}

  ground::Game game;
  machine::Stepper engine;
  Program program;
};

void compare_counts(Twins& twins) {
  EXPECT_EQ(twins.program.run("perft " + std::to_string(depth)),
            as_text(machine::perft(twins.engine, depth)));
  compare_playouts(twins.program, twins.engine);
}

void compare_all(Twins&& twins) {
  compare_counts(twins);
  EXPECT_EQ(twins.program.run("play " + std::to_string(seed)),
            testing::Playthrough(twins.engine, seed).record(longest_playthrough));
}

class ShippedGame : public ::testing::TestWithParam<const char*> {};

TEST_P(ShippedGame, PlaysLikeTheEngines) {
  compare_all(
      Twins(testing::rulesheet_file(std::string(ZERMELO_ROOT "/games/") + GetParam() + ".kif")));
}

INSTANTIATE_TEST_SUITE_P(Cpp, ShippedGame,
                         ::testing::Values("tic_tac_toe", "connect_four", "nim", "othello",
                                           "rock_paper_scissors", "towers_of_hanoi"),
                         [](const auto& test) { return std::string(test.param); });

// The second has recursion after the moves, the third before them.
class RandomGame : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGame, PlaysLikeTheEngines) {
  compare_all(Twins(testing::rulesheet(testing::random_game(GetParam()))));
}

INSTANTIATE_TEST_SUITE_P(Cpp, RandomGame, ::testing::Values(1, 6, 9));

// Recursion before and after the moves (reachability in a graph whose edges the moves remove), a
// role that runs out of moves, and names that must be escaped in C++.
TEST(Cpp, LoopsDeadEndsAndEscapedNames) {
  Twins twins(testing::rulesheet(R"(
(role "int) (role cutter)
(node a) (node b) (node c) (node d)
(init (edge a b)) (init (edge b c)) (init (edge c d)) (init (edge d a)) (init (edge b d))
(init (e%d\ a b)) (init (e%d\ a//b)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(<= (reach ?x ?y) (true (edge ?x ?y)))
(<= (reach ?x ?z) (reach ?x ?y) (true (edge ?y ?z)))
(<= (legal cutter (cut ?x ?y)) (true (edge ?x ?y)) (reach ?y ?x))
(<= (legal "int (while ?x)) (node ?x))
(<= (cut ?x ?y) (does cutter (cut ?x ?y)))
(<= (kept ?x ?y) (true (edge ?x ?y)) (not (cut ?x ?y)))
(<= (joined ?x ?y) (kept ?x ?y))
(<= (joined ?x ?z) (joined ?x ?y) (kept ?y ?z))
(<= (next (edge ?x ?y)) (kept ?x ?y))
(<= (next (e%d\ ?x ?y)) (joined ?x ?y) (does "int (while ?x)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 3)))
(<= terminal (not (reach a a)) (true (e%d\ a b)))
(<= (goal cutter 100) (not (reach a d)))
(<= (goal cutter 0) (reach a d))
(<= (goal "int 50) (true (e%d\ a b)))
(<= (goal "int 0) (not (true (e%d\ a b))))
)"));
  EXPECT_FALSE(twins.game.recursive.empty());
  compare_counts(twins);
  const std::string begin = "seed 1\nroles \"int cutter\nstart\n    (e%d\\ a b) (e%d\\ a//b)";
  EXPECT_EQ(twins.program.run("play").substr(0, begin.size()), begin);
}

TEST(Cpp, NamesAreEscaped) {
  EXPECT_EQ(string_literal("a\"b\\c?d\n"), R"("a\042b\134c\077d\012")");
  EXPECT_EQ(string_literal("caf\xc3\xa9"), R"("caf\303\251")");
}

TEST(Cpp, IdentifiersAreUnique) {
  Identifiers identifiers;
  EXPECT_EQ(identifiers.make("is_", "(cell 1 1 b)"), "is_cell_1_1_b");
  EXPECT_EQ(identifiers.make("is_", "(cell 11 b)"), "is_cell_11_b");
  EXPECT_EQ(identifiers.make("is_", "(cell-11 b)"), "is_cell_11_b_2");
  EXPECT_EQ(identifiers.make("is_", "(cell 11 b 2)"), "is_cell_11_b_2_2");
  EXPECT_EQ(identifiers.make("is_", "?"), "is");
  EXPECT_EQ(identifiers.make("is_", "+"), "is_2");
  EXPECT_NE(identifiers.make("is_", std::string(200, 'x')),
            identifiers.make("is_", std::string(201, 'x')));
}

TEST(Cpp, ALimitIsAnError) {
  const auto game =
      ground::ground(testing::rulesheet_file(ZERMELO_ROOT "/games/checkers.kif")).value();
  int checks = 0;
  base::Limits counting;
  counting.end_when([&] { return ++checks < 0; });
  ASSERT_TRUE(to_cpp(game, counting));
  for (int last = 1; last <= checks; last += 1 + checks / 20) {
    int left = last;
    base::Limits limits;
    limits.end_when([&] { return --left == 0; });
    const auto stopped = to_cpp(game, limits);
    ASSERT_FALSE(stopped) << last << " of " << checks;
    EXPECT_EQ(stopped.error().kind, base::ErrorKind::time_limit);
  }
}

}  // namespace
}  // namespace zermelo::translate
