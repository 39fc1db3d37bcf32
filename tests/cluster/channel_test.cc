// Messages, collective operations and rounds, between ranks that are threads.
#include "cluster/channel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

#include "base/random.h"
#include "cluster/exchange.h"
#include "cluster/local_transport.h"

namespace zermelo::cluster {
namespace {

Bytes bytes_of(std::uint64_t number) {
  ByteWriter writer;
  writer.put(number);
  return writer.take();
}
std::uint64_t number_of(const Bytes& bytes) { return ByteReader(bytes).get<std::uint64_t>(); }

TEST(Channel, WritesAndReadsValues) {
  ByteWriter writer;
  writer.put_text("abc");
  writer.put_list(std::vector<int>{1, -2, 3});
  writer.put(2.5);
  const Bytes bytes = writer.take();
  ByteReader reader(bytes);
  EXPECT_EQ(reader.get_text(), "abc");
  EXPECT_EQ(reader.get_list<int>(), (std::vector<int>{1, -2, 3}));
  EXPECT_EQ(reader.get<double>(), 2.5);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(writer.size(), 0u);
}

TEST(Channel, KeepsTheOrderOfOneSenderAndMessagesOfOtherKinds) {
  run_local_ranks(2, [](Transport& transport) {
    Channel channel(transport);
    if (channel.rank() == 1) {
      for (std::uint64_t i = 0; i < 100; ++i) {
        channel.send(0, i % 2 == 0 ? Kind::batch : Kind::request, bytes_of(i));
      }
      return;
    }
    for (std::uint64_t i = 1; i < 100; i += 2) {
      EXPECT_EQ(number_of(channel.wait(Kind::request).bytes), i);
    }
    for (std::uint64_t i = 0; i < 100; i += 2) {
      const Message message = channel.wait({Kind::batch, Kind::request});
      EXPECT_EQ(message.from, 1u);
      EXPECT_EQ(number_of(message.bytes), i);
    }
    EXPECT_FALSE(channel.next({Kind::batch, Kind::request}));
  });
}

TEST(Channel, WaitsNoLongerThanAsked) {
  run_local_ranks(1, [](Transport& transport) {
    Channel channel(transport);
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
    EXPECT_FALSE(channel.wait_until(end, Kind::request));
    EXPECT_GE(std::chrono::steady_clock::now(), end);
    EXPECT_GT(channel.traffic().idle_seconds, 0.01);
  });
}

// Ranks run ahead of each other, so operations of different kinds overlap.
TEST(Channel, CollectiveOperationsAgreeOnAllRanks) {
  for (const std::size_t ranks : {1u, 2u, 3u, 5u}) {
    run_local_ranks(ranks, [=](Transport& transport) {
      Channel channel(transport);
      const std::uint64_t own = channel.rank() + 1;
      for (std::uint64_t i = 0; i < 200; ++i) {
        EXPECT_EQ(channel.sum({own, i}),
                  (std::vector<std::uint64_t>{ranks * (ranks + 1) / 2, i * ranks}));
        EXPECT_EQ(number_of(channel.broadcast(bytes_of(own * 1000 + i))), 1000 + i);
        const auto all = channel.gather(bytes_of(own));
        EXPECT_EQ(all.size(), channel.rank() == 0 ? ranks : 0);
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
          EXPECT_EQ(number_of(all[rank]), rank + 1);
        }
      }
    });
  }
}

TEST(Channel, TheErrorOfTheFirstRankReachesAll) {
  run_local_ranks(4, [](Transport& transport) {
    Channel channel(transport);
    EXPECT_FALSE(channel.first_error(std::nullopt));
    std::optional<base::Error> error;
    if (channel.rank() >= 2) {
      error = {base::ErrorKind::time_limit, "of rank " + std::to_string(channel.rank())};
    }
    const auto first = channel.first_error(error);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->kind, base::ErrorKind::time_limit);
    EXPECT_EQ(first->message, "of rank 2");
  });
}

// Every rank sends random numbers to random ranks; sent and received sums agree in every round.
TEST(Channel, RoundsDeliverEveryEntryInItsRound) {
  constexpr std::size_t ranks = 4, rounds = 20;
  std::atomic<std::uint64_t> sent[rounds] = {}, received[rounds] = {};
  run_local_ranks(ranks, [&](Transport& transport) {
    Channel channel(transport);
    Exchange exchange(channel);
    base::Random random(channel.rank());
    for (std::size_t round = 0; round < rounds; ++round) {
      const auto take = [&](std::size_t from, ByteReader reader) {
        EXPECT_NE(from, channel.rank());
        while (!reader.at_end()) received[round] += reader.get<std::uint64_t>();
      };
      for (std::uint32_t i = 0; i < random.below(30'000); ++i) {
        const std::size_t to = random.below(ranks);
        if (to == channel.rank()) continue;
        const std::uint64_t number = random.below(1000);
        exchange.begin(to).put(number);
        sent[round] += number;
        if (i % 1000 == 0) exchange.poll(take);
      }
      exchange.finish(take);
      channel.sum({});
    }
  });
  for (std::size_t round = 0; round < rounds; ++round) EXPECT_EQ(sent[round], received[round]);
}

}  // namespace
}  // namespace zermelo::cluster
