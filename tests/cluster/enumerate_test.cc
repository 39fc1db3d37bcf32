// Enumeration on several ranks beside the enumeration of one process.
#include "cluster/enumerate.h"

#include <mutex>
#include <optional>

#include "cluster/local_transport.h"
#include "solve/stored_game.h"
#include "support/random_game.h"

namespace zermelo::cluster {
namespace {

using solve::TemporaryFolder;
using testing::MachinePointer;

using Layers = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Layers layers_of(const solve::Enumeration& found) {
  Layers layers;
  for (const solve::LayerCount& layer : found.layers) {
    layers.push_back({layer.states, layer.terminal.value_or(~0ull)});
  }
  return layers;
}

// The result of rank 0.
base::Result<RankedEnumeration> on_ranks(std::size_t ranks, const MachinePointer& machine,
                                         const solve::EnumerateOptions& options,
                                         const std::filesystem::path& folder = {}) {
  std::mutex mutex;
  std::vector<std::optional<base::Result<RankedEnumeration>>> results(ranks);
  run_local_ranks(ranks, [&](Transport& transport) {
    Channel channel(transport);
    auto result = enumerate(channel, machine, options, folder);
    const std::lock_guard lock(mutex);
    results[transport.rank()] = std::move(result);
  });
  for (const auto& result : results) {
    EXPECT_EQ(result->has_value(), results[0]->has_value());
    if (*result) {
      EXPECT_EQ(layers_of((*result)->found), layers_of((*results[0])->found));
    } else {
      EXPECT_EQ(result->error().message, results[0]->error().message);
    }
  }
  return *results[0];
}

std::uint64_t held(const RankedEnumeration& result) {
  std::uint64_t states = 0;
  for (const RankReport& rank : result.ranks) states += rank.states;
  return states;
}

TEST(RankedEnumeration, CountsRandomGamesLikeOneProcess) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    const auto machine = testing::from_text(testing::random_game(seed));
    solve::EnumerateOptions options;
    options.groups = analysis::find_mutex_groups(machine).groups;
    options.continue_past_terminal = seed % 3 == 1;
    options.duplicate_detection = seed % 3 != 2;
    const solve::Enumeration expected = solve::enumerate(machine, options);
    for (std::size_t ranks = 1; ranks <= 4; ++ranks) {
      const auto found = on_ranks(ranks, machine, options);
      ASSERT_TRUE(found) << seed;
      EXPECT_EQ(layers_of(found->found), layers_of(expected)) << seed << " on " << ranks;
      EXPECT_EQ(found->ranks.size(), ranks);
      if (options.duplicate_detection) {
        EXPECT_EQ(held(*found), expected.states()) << seed;
      }
    }
  }
}

TEST(RankedEnumeration, DividesTheStatesEvenly) {
  const auto machine = testing::generated("connect-four", {"4", "4"});
  const auto groups = analysis::find_mutex_groups(machine).groups;
  const auto found = on_ranks(4, machine, {.groups = groups});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->found.states(), 161'029u);
  for (const RankReport& rank : found->ranks) {
    EXPECT_GT(rank.states, 39'000u);
    EXPECT_LT(rank.states, 41'500u);
    EXPECT_GT(rank.traffic.bytes, 0u);
  }
}

TEST(RankedEnumeration, AllRanksStopAtALimitOfOne) {
  const auto machine = testing::generated("connect-four", {"5", "4"});
  std::mutex mutex;
  run_local_ranks(3, [&](Transport& transport) {
    Channel channel(transport);
    solve::EnumerateOptions options;
    if (channel.rank() == 1) options.limits = base::Limits(std::chrono::milliseconds(50), {});
    const auto found = enumerate(channel, machine, options);
    const std::lock_guard lock(mutex);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->found.stopped, base::ErrorKind::time_limit);
    EXPECT_LT(found->found.states(), 1'706'255u);
  });
}

// Stops after some layers, by a limit that a callback sets.
void count_some_layers(std::size_t ranks, const MachinePointer& machine, std::size_t layers,
                       const std::filesystem::path& folder) {
  run_local_ranks(ranks, [&](Transport& transport) {
    Channel channel(transport);
    bool is_enough = false;
    solve::EnumerateOptions options;
    options.groups = analysis::find_mutex_groups(machine).groups;
    options.limits.end_when([&] { return is_enough; });
    options.on_layer = [&, seen = std::size_t{0}](const solve::LayerCount&) mutable {
      is_enough = ++seen == layers;
    };
    const auto found = enumerate(channel, machine, options, folder);
    EXPECT_TRUE(found && found->found.stopped);
  });
}

TEST(RankedEnumeration, ResumesFromAFolderWithAnyNumberOfRanks) {
  const auto machine = testing::shipped("tic_tac_toe");
  const auto groups = analysis::find_mutex_groups(machine).groups;
  const Layers expected = layers_of(solve::enumerate(machine, {.groups = groups}));
  for (std::size_t before = 1; before <= 3; ++before) {
    for (std::size_t after = 1; after <= 3; ++after) {
      const TemporaryFolder folder;
      count_some_layers(before, machine, 3, folder.path());
      count_some_layers(after, machine, 2, folder.path());
      const auto found = on_ranks(before, machine, {}, folder.path());
      ASSERT_TRUE(found);
      EXPECT_EQ(layers_of(found->found), expected) << before << " then " << after;
      EXPECT_EQ(held(*found), 5'478u);
      const auto finished = on_ranks(after, machine, {}, folder.path());
      ASSERT_TRUE(finished);
      EXPECT_EQ(layers_of(finished->found), expected);
    }
  }
}

// What a rank wrote after the last manifest does not count.
TEST(RankedEnumeration, ResumesAfterADeathBetweenFilesAndManifest) {
  const auto machine = testing::shipped("tic_tac_toe");
  const TemporaryFolder folder;
  count_some_layers(2, machine, 3, folder.path());
  folder.write("states-2-1.bin", folder.read("states-2-1.bin") + "half of a layer");
  const auto found = on_ranks(2, machine, {}, folder.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->found.states(), 5'478u);
}

TEST(RankedEnumeration, RefusesDamagedAndForeignFolders) {
  const auto machine = testing::shipped("tic_tac_toe");
  const TemporaryFolder folder;
  count_some_layers(2, machine, 3, folder.path());
  const auto other = on_ranks(2, testing::shipped("nim"), {}, folder.path());
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, base::ErrorKind::not_applicable);
  std::string bytes = folder.read("states-2-0.bin");
  bytes.at(bytes.size() / 2) ^= 1;
  folder.write("states-2-0.bin", bytes);
  const auto damaged = on_ranks(2, machine, {}, folder.path());
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().kind, base::ErrorKind::unreadable_input);
  folder.write("states-2-0.bin", "");
  EXPECT_FALSE(on_ranks(3, machine, {}, folder.path()));
  folder.write("count.json", "{}");
  EXPECT_FALSE(on_ranks(2, machine, {}, folder.path()));
  folder.write("letter.txt", "");
  const auto foreign = on_ranks(2, machine, {}, folder.path());
  ASSERT_FALSE(foreign);
  EXPECT_EQ(foreign.error().kind, base::ErrorKind::not_applicable);
}

}  // namespace
}  // namespace zermelo::cluster
