#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <thread>
#include <vector>

#include "base/bit_set.h"
#include "base/components.h"
#include "base/limited_steps.h"
#include "base/limits.h"
#include "base/paced_limits.h"
#include "base/random.h"
#include "base/source.h"

namespace zermelo::base {
namespace {

TEST(Source, FindsLinesAndColumns) {
  const Source source("name", "ab\r\n\ncd");
  EXPECT_EQ(source.position(0).line, 1u);
  EXPECT_EQ(source.position(1).column, 2u);
  EXPECT_EQ(source.position(4).line, 2u);
  EXPECT_EQ(source.position(6).line, 3u);
  EXPECT_EQ(source.position(6).column, 2u);
  EXPECT_EQ(source.line(1), "ab");
  EXPECT_EQ(source.line(2), "");
  EXPECT_EQ(source.line(3), "cd");
}

TEST(Source, LinesEndWithEitherCharacterOrBoth) {
  const Source source("name", "a\rb\r\nc\n\rd\r");
  const std::vector<std::string> lines{"a", "b", "c", "", "d", ""};
  for (std::uint32_t i = 0; i < lines.size(); ++i) EXPECT_EQ(source.line(i + 1), lines[i]) << i;
  EXPECT_EQ(source.position(2).line, 2u);
  EXPECT_EQ(source.position(8).line, 5u);
  EXPECT_EQ(source.position(8).column, 1u);
}

TEST(Source, MissingFilesAndFoldersAreErrors) {
  EXPECT_EQ(read_source("/no/such/file").error().kind, ErrorKind::unreadable_input);
  EXPECT_EQ(read_source("/").error().kind, ErrorKind::unreadable_input);
}

TEST(Limits, AreExceededOnlyAfterTheLimit) {
  EXPECT_FALSE(Limits().exceeded());
  EXPECT_FALSE(Limits(std::chrono::hours(1), std::size_t{1} << 50).exceeded());
  EXPECT_EQ(Limits(std::chrono::seconds(0), std::nullopt).exceeded(), ErrorKind::time_limit);
  EXPECT_EQ(Limits(std::nullopt, 1).exceeded(), ErrorKind::memory_limit);
}

TEST(Limits, MemoryStillToBeUsedCounts) {
  const Limits limits(std::nullopt, resident_bytes() + (std::size_t{1} << 30));
  EXPECT_FALSE(limits.exceeded());
  EXPECT_EQ(limits.exceeded(std::size_t{2} << 30), ErrorKind::memory_limit);
}

TEST(Limits, WithinALimitTheEarlierOneCounts) {
  const Limits hour(std::chrono::hours(1), std::nullopt);
  EXPECT_EQ(hour.within(std::chrono::seconds(0)).exceeded(), ErrorKind::time_limit);
  EXPECT_EQ(Limits().within(std::chrono::seconds(0)).exceeded(), ErrorKind::time_limit);
  EXPECT_LE(hour.within(std::chrono::hours(2)).time_left(), std::chrono::hours(1));
  EXPECT_GT(hour.time_left(), std::chrono::minutes(50));
  EXPECT_FALSE(Limits().time_left());
  const Limits none(std::chrono::seconds(0), std::nullopt);
  EXPECT_EQ(none.time_left(), std::chrono::seconds(0));
}

TEST(PacedLimits, SlowStepsAreCheckedOneByOne) {
  Limits limits;
  int asked = 0;
  limits.end_when([&] { return ++asked > 20; });
  PacedLimits paced(limits);
  int steps = 0;
  for (; !paced.exceeded() && steps < 100; ++steps) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LT(steps, 30);
  EXPECT_EQ(paced.exceeded(), ErrorKind::time_limit);
}

TEST(PacedLimits, QuickStepsAreSeldomChecked) {
  Limits limits;
  int asked = 0;
  limits.end_when([&] { return ++asked > 1'000'000; });
  PacedLimits paced(limits);
  for (int step = 0; step < 1'000'000; ++step) EXPECT_FALSE(paced.exceeded());
  EXPECT_LT(asked, 100'000);
}

TEST(LimitedSteps, ALimitIsAnErrorOfWhoeverStartedTheLoop) {
  const auto loop = [](const Limits& limits) {
    return within_limits([&] {
      LimitedSteps steps(limits, "counting");
      int counted = 0;
      for (; counted < 100'000; ++counted) steps.take();
      return counted;
    });
  };
  EXPECT_EQ(loop({}).value(), 100'000);
  const auto stopped = loop(Limits(std::chrono::seconds(0), std::nullopt));
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().kind, ErrorKind::time_limit);
  EXPECT_EQ(stopped.error().message, "time limit reached while counting");
}

TEST(Limits, ResidentMemoryGrowsWithUse) {
  const std::size_t before = resident_bytes();
  const std::vector<char> used(std::size_t{32} << 20, 1);
  EXPECT_GT(resident_bytes(), before + (std::size_t{16} << 20));
  EXPECT_EQ(used.back(), 1);
}

TEST(Random, SameSeedSameNumbers) {
  Random a(7), b(7), c(8);
  const std::uint64_t first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
}

TEST(Random, BelowIsUniform) {
  Random random(1);
  std::vector<int> counts(6);
  for (int i = 0; i < 60'000; ++i) ++counts[random.below(6)];
  double chi_squared = 0;
  for (const int count : counts) chi_squared += (count - 1e4) * (count - 1e4) / 1e4;
  EXPECT_LT(chi_squared, 25.7);  // 5 degrees of freedom, p = 0.0001
}

TEST(BitSet, BehavesAsASet) {
  Random random(3);
  BitSet bits(200);
  std::set<std::size_t> twin;
  for (int i = 0; i < 1000; ++i) {
    const std::size_t member = random.below(200);
    if (random.below(2) == 0) {
      bits.set(member);
      twin.insert(member);
    } else {
      bits.reset(member);
      twin.erase(member);
    }
  }
  std::vector<std::size_t> members;
  bits.for_each([&](std::size_t i) { members.push_back(i); });
  EXPECT_EQ(members, std::vector<std::size_t>(twin.begin(), twin.end()));
  EXPECT_EQ(bits.count(), twin.size());
}

TEST(BitSet, UnionAndIntersection) {
  BitSet a(100), b(100);
  a.set(1);
  a.set(99);
  b.set(99);
  BitSet both = a;
  both &= b;
  EXPECT_EQ(both, b);
  b |= a;
  EXPECT_EQ(b, a);
}

// Two nodes are in one component if and only if each reaches the other.
TEST(Components, AgreeWithReachability) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t nodes = 1 + random.below(8);
    std::vector<std::vector<std::uint32_t>> edges(nodes);
    std::vector<std::vector<bool>> reaches(nodes, std::vector<bool>(nodes));
    for (std::uint32_t i = 0; i < nodes; ++i) reaches[i][i] = true;
    for (std::uint32_t e = random.below(14); e > 0; --e) {
      const std::uint32_t from = random.below(nodes), to = random.below(nodes);
      edges[from].push_back(to);
      reaches[from][to] = true;
    }
    for (std::uint32_t k = 0; k < nodes; ++k) {
      for (std::uint32_t i = 0; i < nodes; ++i) {
        for (std::uint32_t j = 0; j < nodes; ++j) {
          if (reaches[i][k] && reaches[k][j]) reaches[i][j] = true;
        }
      }
    }
    const Components components =
        strongly_connected_components(nodes, [&](std::uint32_t n, std::uint64_t i) {
          return i < edges[n].size() ? edges[n][i] : no_node;
        });
    for (std::uint32_t i = 0; i < nodes; ++i) {
      for (std::uint32_t j = 0; j < nodes; ++j) {
        const bool same = components.component_of[i] == components.component_of[j];
        EXPECT_EQ(same, reaches[i][j] && reaches[j][i]);
        if (reaches[i][j]) {
          EXPECT_GE(components.component_of[i], components.component_of[j]);
        }
      }
    }
  }
}

TEST(Components, LongPathsDoNotOverflowTheStack) {
  constexpr std::uint32_t nodes = 1'000'000;
  const Components components = strongly_connected_components(
      nodes,
      [](std::uint32_t n, std::uint64_t i) { return i == 0 && n + 1 < nodes ? n + 1 : no_node; });
  EXPECT_EQ(components.count, nodes);
}

}  // namespace
}  // namespace zermelo::base
