// Players that draw their moves from the stored equilibria of a game.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "play/agent.h"
#include "play/match.h"
#include "solve/simultaneous/equilibrium_folder.h"
#include "solve/simultaneous/equilibrium_solver.h"
#include "solve/stored_game.h"
#include "support/simultaneous_game.h"

namespace zermelo::play {
namespace {

class SolvedMatrix {
 public:
  explicit SolvedMatrix(const std::string& rules)
      : simulator_(search::make_simulator(testing::rulesheet(rules), {}).value()),
        solution_(solve::solve_as_simultaneous(simulator_->machine(), {}).value()) {
    const auto stored = solve::store(solution_, folder_.folder(), {});
    if (!stored) throw std::runtime_error(stored.error().message);
  }

  const std::shared_ptr<const search::Simulator>& simulator() const { return simulator_; }
  const solve::EquilibriumSolution& solution() const { return solution_; }
  AgentSpec spec() const { return parse_agent("perfect:" + folder_.path().string()).value(); }
  // The probability of each legal move at the start, by how often the agent makes it.
  std::vector<double> frequencies(std::size_t role, int draws) const {
    const auto agent = make_agent(spec(), {simulator_, role, 7}).value();
    const auto walker = simulator_->walker();
    walker->go_to(simulator_->initial());
    const auto legal = walker->legal(role);
    std::vector<double> frequencies(legal.size());
    for (int i = 0; i < draws; ++i) {
      const Move move = agent->choose(simulator_->initial(), std::nullopt);
      const auto place = std::find(legal.begin(), legal.end(), move) - legal.begin();
      frequencies[static_cast<std::size_t>(place)] += 1.0 / draws;
    }
    EXPECT_FALSE(agent->read_error());
    return frequencies;
  }

 private:
  std::shared_ptr<const search::Simulator> simulator_;
  solve::TemporaryFolder folder_;
  solve::EquilibriumSolution solution_;
};

TEST(EquilibriumAgents, DrawFromTheStoredStrategies) {
  constexpr int draws = 4'000;
  int mixed = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const SolvedMatrix game(testing::random_simultaneous_game(seed, seed % 2 == 0));
    const auto& strategies = game.solution().equilibrium(0).strategies;
    for (std::size_t role = 0; role < 2; ++role) {
      std::vector<double> expected(game.frequencies(role, 1).size());
      for (const solve::Choice& choice : strategies[role]) {
        expected[choice.move] = choice.probability;
      }
      mixed += strategies[role].size() > 1;
      const auto frequencies = game.frequencies(role, draws);
      for (std::size_t move = 0; move < expected.size(); ++move) {
        // Five standard deviations; a move with probability 0 is never made.
        const double tolerance = 5 * std::sqrt(expected[move] * (1 - expected[move]) / draws);
        EXPECT_NEAR(frequencies[move], expected[move], tolerance + 1e-9) << seed;
      }
    }
  }
  EXPECT_GT(mixed, 4);
}

TEST(EquilibriumAgents, PlayWholeGames) {
  const SolvedMatrix game(testing::random_simultaneous_game(3, true));
  MatchOptions options;
  options.games = 400;
  const auto match = run_match(game.simulator(), {game.spec(), game.spec()}, options);
  ASSERT_TRUE(match) << match.error().message;
  EXPECT_EQ(match->completed, 400u);
  double sum = 0;  // of the first role
  for (const PlayedGame& played : match->games) sum += played.goals[0];
  EXPECT_NEAR(sum / 400, game.solution().equilibrium(0).value(0), 8);
}

TEST(EquilibriumAgents, NeedTheSameRules) {
  const SolvedMatrix game(testing::random_simultaneous_game(1, true));
  const auto other =
      search::make_simulator(testing::rulesheet(testing::random_simultaneous_game(2, true)), {});
  const auto agent = make_agent(game.spec(), {other.value(), 0, 1});
  ASSERT_FALSE(agent);
  EXPECT_EQ(agent.error().kind, base::ErrorKind::not_applicable);
}

}  // namespace
}  // namespace zermelo::play
