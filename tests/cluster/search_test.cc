// Search on several ranks, which are threads here.
#include <gtest/gtest.h>

#include <numeric>

#include "cluster/cluster_agent.h"
#include "cluster/helper.h"
#include "cluster/local_transport.h"
#include "cluster/root_samples.h"
#include "cluster/team.h"
#include "families/families.h"
#include "support/load.h"

namespace zermelo::cluster {
namespace {

using play::AgentSpec;
using play::Seat;
using search::State;

struct Game {
  std::shared_ptr<const gdl::Rulesheet> rules;
  std::shared_ptr<const search::Simulator> simulator;
};

Game game_of(const std::string& family, const std::vector<std::string>& sizes) {
  Game game;
  game.rules = testing::rulesheet(families::generate(family, sizes).value());
  game.simulator = search::make_simulator(game.rules, {}).value();
  return game;
}

// Runs `work` on rank 0 with a team for the game; the other ranks help.
void with_team(std::size_t ranks, const Game& game, const TeamOptions& options,
               const std::function<void(Team&)>& work) {
  run_local_ranks(ranks, [&](Transport& transport) {
    Channel channel(transport);
    if (transport.rank() != 0) return help(channel);
    Team team(channel, options);
    team.prepare(*game.rules, 1);
    work(team);
  });
}

// UctOptions with these fields.
search::UctOptions options_with(unsigned threads, std::uint64_t seed = 1) {
  search::UctOptions options;
  options.threads = threads;
  options.seed = seed;
  return options;
}

AgentSpec spec_of(const std::string& text) { return play::parse_agent(text).value(); }

std::uint64_t playouts_of(const std::vector<Work>& work) {
  return std::accumulate(work.begin(), work.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Work& rank) { return sum + rank.playouts; });
}

// The moves of a game that the agent plays against itself.
std::vector<search::Move> self_play(const Game& game, play::Agent& first, play::Agent& second) {
  const auto walker = game.simulator->walker();
  walker->go_to(game.simulator->initial());
  std::vector<search::Move> moves;
  while (!walker->terminal()) {
    const State state = walker->state();
    const std::vector<search::Move> joint = {first.choose(state, {}), second.choose(state, {})};
    moves.insert(moves.end(), joint.begin(), joint.end());
    walker->go_to(state);
    walker->make(joint);
  }
  return moves;
}

TEST(TreeParallel, WithOneRankItIsTheSearchOfOneProcess) {
  const Game game = game_of("connect-four", {"5", "4"});
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const AgentSpec spec = spec_of("uct:simulations=2000");
    const auto alone = [&](std::size_t role) {
      return play::make_agent(spec, {game.simulator, role, seed}).value();
    };
    const auto expected = self_play(game, *alone(0), *alone(1));
    with_team(1, game, {}, [&](Team& team) {
      const auto together = [&](std::size_t role) {
        return make_cluster_agent(team, SearchMode::tree, spec, {game.simulator, role, seed})
            .value();
      };
      EXPECT_EQ(self_play(game, *together(0), *together(1)), expected) << seed;
      EXPECT_GT(playouts_of(team.take_work()), 10'000u);
    });
  }
}

TEST(TreeParallel, AllRanksRunPlayouts) {
  const Game game = game_of("breakthrough", {"6", "6"});
  with_team(3, game, {}, [&](Team& team) {
    EXPECT_EQ(team.workers(), 5u);
    search::Uct uct(team.spread(game.simulator), options_with(team.workers()));
    uct.set_root(game.simulator->initial());
    const auto report = uct.search({{}, 40'000});
    const auto work = team.take_work();
    ASSERT_EQ(work.size(), 3u);
    for (const Work& rank : work) {
      EXPECT_GT(rank.playouts, 1'000u);
      EXPECT_EQ(rank.lost, 0u);
    }
    EXPECT_EQ(playouts_of(work), report.simulations);
    EXPECT_EQ(playouts_of(team.take_work()), 0u);
  });
}

TEST(TreeParallel, WithoutPlayoutsOfRank0TheOthersRunAllOfThem) {
  const Game game = game_of("breakthrough", {"6", "6"});
  with_team(3, game, {.main_plays = false, .batches_ahead = 1}, [&](Team& team) {
    search::Uct uct(team.spread(game.simulator), options_with(team.workers()));
    uct.set_root(game.simulator->initial());
    const auto report = uct.search({{}, 20'000});
    const auto work = team.take_work();
    ASSERT_EQ(work.size(), 2u);
    EXPECT_EQ(playouts_of(work), report.simulations);
  });
}

// The playouts of other ranks are those of random games: their mean rewards agree.
TEST(TreeParallel, PlayoutsOfOtherRanksHaveTheRightRewards) {
  const Game game = game_of("connect-four", {"4", "4"});
  with_team(2, game, {.main_plays = false}, [&](Team& team) {
    const auto shared = team.spread(game.simulator)->playouts(5);
    const auto own = game.simulator->playouts(6);
    const std::vector<State> states(shared->lanes(), game.simulator->initial());
    double sums[2] = {};
    for (int batch = 0; batch < 40; ++batch) {
      search::PlayoutBatch results[2];
      shared->play(states, results[0]);
      own->play(states, results[1]);
      for (int i = 0; i < 2; ++i) {
        ASSERT_EQ(results[i].rewards.size(), states.size() * 2);
        for (std::size_t s = 0; s < states.size(); ++s) sums[i] += results[i].rewards[2 * s];
      }
    }
    const double all = static_cast<double>(40 * states.size());
    EXPECT_NEAR(sums[0] / all, sums[1] / all, 0.03);
  });
}

// A rank that never answers. Its work is done by rank 0, and no search waits for it again.
TEST(TreeParallel, ARankThatDoesNotAnswerIsLeftOut) {
  const Game game = game_of("connect-four", {"5", "4"});
  run_local_ranks(3, [&](Transport& transport) {
    Channel channel(transport);
    if (transport.rank() == 1) return help(channel);
    if (transport.rank() == 2) return;
    Team team(channel, {.patience = std::chrono::milliseconds(50)});
    team.prepare(*game.rules, 1);
    search::Uct uct(team.spread(game.simulator), options_with(team.workers()));
    uct.set_root(game.simulator->initial());
    const auto begin = std::chrono::steady_clock::now();
    uct.search({std::chrono::milliseconds(300), {}});
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(elapsed.count(), 0.6);
    const auto work = team.take_work();
    EXPECT_EQ(work[2].playouts, 0u);
    EXPECT_GT(work[2].lost, 0u);
    EXPECT_LE(work[2].lost, 2u);
    EXPECT_GT(work[1].playouts, 0u);
  });
}

TEST(RootParallel, SamplesOfOneTreeAddUpInAnother) {
  const Game game = game_of("connect-four", {"4", "4"});
  const auto searched = [&](std::uint64_t seed) {
    auto uct = std::make_unique<search::Uct>(game.simulator, options_with(1, seed));
    uct->set_root(game.simulator->initial());
    return uct;
  };
  const auto a = searched(1), b = searched(2);
  RootSamples of_a(*a, 0), of_b(*b, 0);
  a->search({{}, 2'000});
  b->search({{}, 3'000});
  const auto moves_a = a->moves(0), moves_b = b->moves(0);
  const Samples from_a = of_a.take(), from_b = of_b.take();
  of_a.add(from_b);
  const auto merged = a->moves(0);
  for (std::size_t i = 0; i < merged.size(); ++i) {
    const double visits_a = static_cast<double>(moves_a[i].visits);
    const double visits_b = static_cast<double>(moves_b[i].visits);
    EXPECT_EQ(merged[i].visits, moves_a[i].visits + moves_b[i].visits);
    EXPECT_NEAR(merged[i].value,
                (moves_a[i].value * visits_a + moves_b[i].value * visits_b) / (visits_a + visits_b),
                1e-9);
  }
  for (const std::uint64_t visits : of_a.take().visits)
    EXPECT_EQ(visits, 0u);  // nothing of its own
  of_b.add(from_a);
  EXPECT_EQ(b->moves(0)[0].visits, merged[0].visits);
}

TEST(RootParallel, FindsTheWinningMove) {
  const Game game = game_of("breakthrough", {"6", "6"});
  for (const std::size_t ranks : {1u, 3u}) {
    with_team(ranks, game, {}, [&](Team& team) {
      const auto make = [&](std::size_t role) {
        return make_cluster_agent(team, SearchMode::root, spec_of("uct:simulations=1500"),
                                  {game.simulator, role, 3})
            .value();
      };
      const auto random = play::make_agent(spec_of("random"), {game.simulator, 1, 3}).value();
      const auto moves = self_play(game, *make(0), *random);
      const auto walker = game.simulator->walker();
      walker->go_to(game.simulator->initial());
      for (std::size_t i = 0; i < moves.size(); i += 2) {
        walker->make(std::span(moves).subspan(i, 2));
      }
      EXPECT_EQ(walker->goal(0), 100) << ranks;
    });
  }
}

TEST(ClusterAgents, RefuseWhatOtherRanksCannotDo) {
  const Game game = game_of("connect-four", {"4", "4"});
  with_team(1, game, {}, [&](Team& team) {
    const Seat seat{game.simulator, 0, 1};
    EXPECT_FALSE(make_cluster_agent(team, SearchMode::tree, spec_of("uct:variant=rave"), seat));
    EXPECT_FALSE(make_cluster_agent(team, SearchMode::root, spec_of("uct:proofs=no"), seat));
    EXPECT_TRUE(make_cluster_agent(team, SearchMode::tree, spec_of("uct:proofs=no"), seat));
  });
}

TEST(Requests, KeepStatesAndBudgets) {
  State a(70), b(70);
  a.set(3);
  b.set(69);
  const std::vector<State> states = {a, a, b, a};
  const Bytes bytes = PlayoutRequest::bytes(7, states);
  ByteReader reader(bytes);
  EXPECT_EQ(reader.get<Request>(), Request::playouts);
  const auto request = PlayoutRequest::from(reader, State(70));
  EXPECT_EQ(request.number, 7u);
  EXPECT_EQ(request.states, states);
  const Bytes tree = TreeRequest{4, 1, {{}, 99}, b}.bytes();
  ByteReader tree_reader(tree);
  EXPECT_EQ(tree_reader.get<Request>(), Request::tree);
  const auto search = TreeRequest::from(tree_reader, State(70));
  EXPECT_FALSE(search.budget.seconds);
  EXPECT_EQ(search.budget.simulations, 99u);
  EXPECT_EQ(search.state, b);
  EXPECT_EQ(search.role, 1u);
}

}  // namespace
}  // namespace zermelo::cluster
