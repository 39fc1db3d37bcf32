// Threads, scratch files and limits that are not reached must not change a result. Reached limits
// must end an operation.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <new>

#include "dd/connect_four.h"
#include "dd/every_question.h"
#include "dd/random_diagrams.h"
#include "dd/team.h"

namespace zermelo::dd {
namespace {

class Passes : public ::testing::Test {
 protected:
  Passes() : game_(5, 4), relation_(*Relation::of_cases(game_.domains(), game_.cases())) {}

  struct Whole {
    std::vector<Diagram> layers;
    ConnectFour::Solved solved;
  };

  Whole solve(const Options& options) const {
    auto layers = *game_.layers(relation_, options);
    auto solved = *game_.solve(layers, relation_, options);
    return {std::move(layers), std::move(solved)};
  }

  void expect_the_same(const Options& options) const {
    const Whole plain = solve({}), other = solve(options);
    EXPECT_EQ(plain.solved.won, other.solved.won);
    EXPECT_EQ(plain.solved.lost, other.solved.lost);
    for (std::size_t ply = 0; ply < plain.layers.size(); ++ply) {
      EXPECT_TRUE(identical(plain.layers[ply], other.layers[ply])) << ply;
      EXPECT_TRUE(identical(plain.solved.values[ply], other.solved.values[ply])) << ply;
    }
  }

  ConnectFour game_;
  Relation relation_;
};

TEST_F(Passes, ThreadsGiveTheSameRowsInTheSameOrder) {
  for (const unsigned threads : {2u, 3u, 5u}) {
    Options options;
    options.threads = threads;
    expect_the_same(options);
  }
}

TEST_F(Passes, ScratchFilesGiveTheSameRowsInTheSameOrder) {
  Options options;
  options.scratch_folder = std::filesystem::temp_directory_path();
  options.children_in_memory = 0;
  expect_the_same(options);
  options.children_in_memory = 100'000;
  options.threads = 2;
  expect_the_same(options);
}

TEST_F(Passes, FrontiersOnDiskGiveTheSameRowsInTheSameOrder) {
  Options options;
  options.scratch_folder = std::filesystem::temp_directory_path();
  options.frontier_in_memory = 0;
  expect_the_same(options);
  options.frontier_in_memory = 300'000;
  options.children_in_memory = 100'000;
  options.threads = 2;
  expect_the_same(options);
}

TEST_F(Passes, ResultsOnDiskAreTheSame) {
  Options options;
  options.scratch_folder = std::filesystem::temp_directory_path();
  for (const std::size_t bytes : {0, 10'000}) {
    options.result_in_memory = bytes;
    options.frontier_in_memory = 10 * bytes;
    expect_the_same(options);
  }
}

TEST_F(Passes, AMissingScratchFolderIsAnError) {
  Options options;
  options.scratch_folder = "/proc/no such folder";
  options.children_in_memory = 0;
  const auto layers = game_.layers(relation_, options);
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().kind, base::ErrorKind::memory_limit);
}

TEST_F(Passes, TheTimeLimitIsRespectedAtAnyMoment) {
  const auto begin = std::chrono::steady_clock::now();
  const auto layers = *game_.layers(relation_);
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  unsigned stopped = 0;
  for (unsigned part = 0; part < 20; ++part) {
    Options options;
    options.threads = 1 + part % 2;
    options.limits = base::Limits(whole * part / 20.0, std::nullopt);
    const auto result = game_.layers(relation_, options);
    if (result) {
      EXPECT_TRUE(identical(result->back(), layers.back()));
      continue;
    }
    ++stopped;
    EXPECT_EQ(result.error().kind, base::ErrorKind::time_limit);
  }
  EXPECT_GT(stopped, 0u);
}

// A limit may end every part of both passes: in one thread and two, in memory and through files.
TEST_F(Passes, PassesStopAtEveryLimitCheck) {
  const Diagram layer = (*game_.layers(relation_))[13];
  const Diagram next = *image({layer, relation_});
  Options files;
  files.scratch_folder = std::filesystem::temp_directory_path();
  files.frontier_in_memory = files.children_in_memory = files.result_in_memory = 0;
  files.threads = 2;
  for (const Options& options : {Options{}, files}) {
    const auto result =
        through_every_question(options, 2 * game_.domains().size(), [&](const Options& limited) {
          return image({layer, relation_}, limited);
        });
    ASSERT_TRUE(result);
    EXPECT_TRUE(identical(*result, next));
  }
}

TEST_F(Passes, TheBackwardStepStopsAtEveryLimitCheck) {
  constexpr std::size_t ply = 13;
  const Whole whole = solve({});
  const Mover second{ConnectFour::not_terminal,
                     {ConnectFour::second_wins, ConnectFour::draw, ConnectFour::first_wins}};
  const BestQuery query{ConnectFour::outcomes,
                        whole.layers[ply],
                        whole.solved.values[ply + 1],
                        relation_,
                        {second},
                        true};
  const auto result = through_every_question(
      {}, 3 * game_.domains().size(),
      [&](const Options& limited) { return best_over_successors(query, limited); });
  ASSERT_TRUE(result);
  EXPECT_TRUE(identical(result->values, whole.solved.values[ply]));
}

TEST_F(Passes, TheMemoryLimitIsRespected) {
  Options options;
  options.limits = base::Limits(std::nullopt, base::resident_bytes() / 2);
  const auto layers = game_.layers(relation_, options);
  ASSERT_FALSE(layers);
  EXPECT_EQ(layers.error().kind, base::ErrorKind::memory_limit);
}

TEST(Team, RethrowsExceptionsOfTasks) {
  for (const unsigned threads : {1u, 3u}) {
    Team team(threads);
    std::atomic<unsigned> done = 0;
    const auto failing = [&](unsigned, std::size_t task) {
      if (task == 5) throw std::bad_alloc();
      ++done;
    };
    EXPECT_THROW(team.run(40, failing), std::bad_alloc);
    team.run(7, [&](unsigned thread, std::size_t) {
      EXPECT_LT(thread, threads);
      ++done;
    });
    EXPECT_GE(done, 12u);
  }
}

// Pairs that need more than 32 bits: 262,144 nodes, moves that distinguish 8,192 cases.
TEST(LongWords, AreUsedWhereShortOnesDoNotFit) {
  constexpr std::size_t half = 17, told_apart = 13;
  const Domains domains(2 * half, 2);
  Conditions conditions(domains);
  std::vector<Diagram> equal;
  for (std::size_t v = 0; v < half; ++v) {
    const auto partner = [&](Value value) { return conditions.literal(v + half, {value}); };
    equal.push_back(conditions.diagram(
        *conditions.if_then_else(conditions.literal(v, {0}), partner(0), partner(1))));
  }
  std::vector<Case> cases(1u << told_apart, Case{{{2 * half - 1, {0, 1}, 1}}});
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t v = 0; v < told_apart; ++v) {
      const Value value = (i >> v) & 1;
      cases[i].touched.push_back({v, {value}});
      cases[i].touched.push_back({v + half, {value}});
    }
  }
  const Diagram states = *intersection_of(equal);
  const Relation relation = *Relation::of_cases(domains, cases);
  EXPECT_GT(states.ids(), 1u << 18);
  EXPECT_GT(relation.widest(), 1u << 13);
  equal.back() = conditions.diagram(conditions.literal(2 * half - 1, {1}));
  EXPECT_EQ(*image({states, relation}), *intersection_of(equal));
}

}  // namespace
}  // namespace zermelo::dd
