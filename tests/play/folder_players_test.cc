// Players with a solution folder make the moves that it says are best.
#include <gtest/gtest.h>

#include "play/agent.h"
#include "play/folder_values.h"
#include "play/interactive_game.h"
#include "play/match.h"
#include "play/strength.h"
#include "solve/stored_game.h"

namespace zermelo::play {
namespace {

// Five cells in a line, with moves to the left and to the right; the game ends in the last cell.
std::string line(const std::string& goal) {
  return "(role a) (init (cell 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)"
         "(legal a left) (legal a right)"
         "(<= (next (cell ?y)) (does a right) (true (cell ?x)) (after ?x ?y))"
         "(<= (next (cell ?x)) (does a left) (true (cell ?y)) (after ?x ?y))"
         "(<= (next (cell 1)) (does a left) (true (cell 1)))"
         "(<= terminal (true (cell 5)))"
         "(<= (goal a " +
         goal + ") (true (cell 5))) (<= (goal a 0) (not (true (cell 5))))";
}

// a chooses between 60 with 40 for b, and 50 with 0 for b.
constexpr const char* x_or_y = R"(
  (role a) (role b) (init start) (legal a x) (legal a y) (legal b noop)
  (<= (next (did ?m)) (does a ?m))
  (<= terminal (true (did ?m)))
  (<= (goal a 60) (true (did x))) (<= (goal b 40) (true (did x)))
  (<= (goal a 50) (true (did y))) (<= (goal b 0) (true (did y)))
)";

// a has lost, unless it moves in a circle for ever.
constexpr const char* round_or_lost = R"(
  (role a) (role b) (init (at start))
  (<= (legal a give_up) (true (at start))) (<= (legal a walk) (true (at start)))
  (<= (legal a noop) (not (true (at start))))
  (<= (legal b noop) (true (at start))) (<= (legal b back) (not (true (at start))))
  (<= (next (at end)) (does a give_up)) (<= (next (at away)) (does a walk))
  (<= (next (at start)) (does b back))
  (<= terminal (true (at end)))
  (<= (goal a 0) (true (at end))) (<= (goal b 100) (true (at end)))
)";

class SolvedGame {
 public:
  explicit SolvedGame(const std::string& rules,
                      solve::OpponentModel model = solve::OpponentModel::own)
      : simulator_(search::make_simulator(testing::rulesheet(rules), {}).value()) {
    solve::store_in(folder_, solve::solved(simulator_->machine(), model));
  }

  const std::shared_ptr<const search::Simulator>& simulator() const { return simulator_; }
  std::string path() const { return folder_.path().string(); }
  // Changes a byte of the values of a layer.
  void damage(std::size_t layer) const {
    const std::string name = "layer-000" + std::to_string(layer) + ".values";
    std::string bytes = folder_.read(name);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    folder_.write(name, bytes);
  }
  AgentSpec spec(const std::string& text) const { return parse_agent(text + path()).value(); }
  std::unique_ptr<Agent> agent(const AgentSpec& spec) const {
    return make_agent(spec, {simulator_, 0, 1}).value();
  }
  std::string first_move(const std::string& text) const {
    return simulator_->move_name(agent(spec(text))->choose(simulator_->initial(), std::nullopt));
  }

 private:
  std::shared_ptr<const search::Simulator> simulator_;
  solve::TemporaryFolder folder_;
};

// Moves of the only role to the end; 100 if it does not get there.
int moves_to_end(const search::Simulator& simulator, Agent& agent) {
  const auto walker = simulator.walker();
  walker->go_to(simulator.initial());
  int moves = 0;
  while (!walker->terminal() && moves < 100) {
    const Move move = agent.choose(walker->state(), std::nullopt);
    walker->make(std::vector<Move>{move});
    ++moves;
  }
  return moves;
}

TEST(FolderPlayers, ReachTheEndIfStatesCanRecur) {
  for (const char* goal : {"100", "40"}) {
    const SolvedGame game(line(goal));
    for (const char* text : {"perfect:", "uct:simulations=500,values="}) {
      const auto agent = game.agent(game.spec(text));
      EXPECT_EQ(moves_to_end(*game.simulator(), *agent), 4) << text << goal;
    }
  }
}

TEST(FolderPlayers, UseTheOpponentModelOfTheFolder) {
  const SolvedGame own(x_or_y), difference(x_or_y, solve::OpponentModel::difference);
  for (const char* text : {"perfect:", "uct:simulations=500,values="}) {
    EXPECT_EQ(own.first_move(text), "x") << text;
    EXPECT_EQ(difference.first_move(text), "y") << text;
  }
}

TEST(FolderPlayers, ADamagedFileIsAnErrorOfWhatUsesIt) {
  const SolvedGame game(x_or_y);
  game.damage(1);
  const auto match =
      run_match(game.simulator(), {game.spec("perfect:"), *parse_agent("random")}, {});
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().kind, base::ErrorKind::unreadable_input);
  const SolvedGame puzzle(line("100"));
  puzzle.damage(1);
  const auto played =
      run_match(puzzle.simulator(), {puzzle.spec("uct:simulations=100,values=")}, {});
  ASSERT_FALSE(played);
  EXPECT_EQ(played.error().kind, base::ErrorKind::unreadable_input);
  const auto values = open_folder_values(game.path(), game.simulator()->machine()).value();
  const auto positions = random_positions(*game.simulator(), *values, 5, 1);
  ASSERT_FALSE(positions);
  EXPECT_EQ(positions.error().kind, base::ErrorKind::unreadable_input);
  InteractiveGame::Agents agents;
  for (std::size_t role = 0; role < 2; ++role) {
    agents.push_back(make_agent(*parse_agent("random"), {game.simulator(), role, 1}).value());
  }
  InteractiveGame dialogue(game.simulator(), 0, std::move(agents),
                           open_folder_values(game.path(), game.simulator()->machine()).value());
  EXPECT_FALSE(dialogue.read_error());
  dialogue.value_after(dialogue.moves().front());
  EXPECT_TRUE(dialogue.read_error());
}

TEST(FolderPlayers, StrengthUsesTheOpponentModelOfTheFolder) {
  for (const auto model : {solve::OpponentModel::own, solve::OpponentModel::difference}) {
    const SolvedGame game(x_or_y, model);
    const auto values = open_folder_values(game.path(), game.simulator()->machine()).value();
    const auto positions = random_positions(*game.simulator(), *values, 5, 1).value();
    const auto first = measure_strength(game.simulator(), *values, parse_agent("legal").value(),
                                        positions, 1);  // plays x
    EXPECT_EQ(first->decisive, 5u);
    EXPECT_EQ(first->kept.mean, model == solve::OpponentModel::own ? 1 : 0);
  }
}

TEST(FolderPlayers, PerfectPrefersEndlessPlayToALoss) {
  EXPECT_EQ(SolvedGame(round_or_lost).first_move("perfect:"), "walk");
}

}  // namespace
}  // namespace zermelo::play
