// Rounds in which every rank sends entries to every other, in batches.
//
//   Exchange exchange(channel);
//   exchange.begin(rank).put(entry);        // any number of times
//   exchange.poll(take);                    // now and then: take(from, reader) for a batch
//   exchange.finish(take);                  // all entries of all ranks have been taken
//
// A collective operation must follow every round before the next one begins. Without it, a fast
// rank's entries of the next round could reach a rank that is still in this one.
#pragma once

#include <vector>

#include "cluster/bytes.h"
#include "cluster/channel.h"

namespace zermelo::cluster {

class Exchange {
 public:
  explicit Exchange(Channel& channel) : channel_(channel), batches_(channel.size()) {}

  // Returns where to write an entry for another rank, which must be written whole.
  ByteWriter& begin(std::size_t to) {
    if (batches_[to].size() >= batch_bytes) flush(to);
    return batches_[to];
  }

  // Calls take(from, reader) for every batch that has arrived.
  template <class Take>
  void poll(const Take& take) {
    while (auto message = channel_.next({Kind::batch, Kind::end_of_round})) handle(*message, take);
  }

  // Sends the rest and waits for the end of the round.
  template <class Take>
  void finish(const Take& take) {
    for (std::size_t to = 0; to < channel_.size(); ++to) {
      if (to == channel_.rank()) continue;
      flush(to);
      channel_.send(to, Kind::end_of_round, {});
    }
    while (ended_ + 1 < channel_.size())
      handle(channel_.wait({Kind::batch, Kind::end_of_round}), take);
    ended_ = 0;
  }

 private:
  static constexpr std::size_t batch_bytes = std::size_t{1} << 16;

  void flush(std::size_t to) {
    if (batches_[to].size() > 0) channel_.send(to, Kind::batch, batches_[to].take());
  }

  template <class Take>
  void handle(const Message& message, const Take& take) {
    if (message.kind == static_cast<std::uint32_t>(Kind::end_of_round)) {
      ++ended_;
    } else {
      take(message.from, ByteReader(message.bytes));
    }
  }

  Channel& channel_;
  std::vector<ByteWriter> batches_;  // by rank
  std::size_t ended_ = 0;            // ranks whose end of this round has arrived
};

}  // namespace zermelo::cluster
