// What the algorithms use of a transport: messages in batches, waiting, and collective operations.
//
// Collective operations are called by all ranks in the same order.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cluster/transport.h"

namespace zermelo::cluster {

// The kinds of all messages.
enum class Kind : std::uint32_t {
  gathered,   // to rank 0, of a collective operation
  broadcast,  // from rank 0, of a collective operation
  batch,      // part of a round
  end_of_round,
  request,  // from rank 0, of a search
  answer,   // to rank 0, of a search
};

// A set of kinds.
class Kinds {
 public:
  template <class... More>
  Kinds(Kind kind, More... more) : bits_((bit(kind) | ... | bit(more))) {}

  bool contains(const Message& message) const { return bits_ >> message.kind & 1; }

 private:
  static std::uint32_t bit(Kind kind) {
    return std::uint32_t{1} << static_cast<std::uint32_t>(kind);
  }

  std::uint32_t bits_;
};

// What a rank did, for the model of growth.
struct Traffic {
  std::uint64_t messages = 0;  // sent
  std::uint64_t bytes = 0;     // sent
  double idle_seconds = 0;     // waiting for messages
};

// Must be used by one thread only. The transport must outlive it.
class Channel {
 public:
  explicit Channel(Transport& transport) : transport_(transport) {}

  std::size_t rank() const { return transport_.rank(); }
  std::size_t size() const { return transport_.size(); }
  const Traffic& traffic() const { return traffic_; }

  // Sends to another rank. While too much is unsent, takes messages in, so that ranks that send to
  // each other all proceed.
  void send(std::size_t to, Kind kind, Bytes bytes);
  // Returns the next message of these kinds; nullopt if none has arrived. Others are kept for later
  // calls.
  std::optional<Message> next(Kinds kinds);
  // Waits for it.
  Message wait(Kinds kinds);
  // Waits for it until then.
  std::optional<Message> wait_until(std::chrono::steady_clock::time_point end, Kinds kinds);

  // Rank 0 gets the bytes of all ranks, by rank; the others get none.
  std::vector<Bytes> gather(Bytes bytes);
  // All ranks get the bytes of rank 0.
  Bytes broadcast(Bytes bytes);
  // All ranks get the sums of the numbers, place by place. The lists must have the same length.
  std::vector<std::uint64_t> sum(const std::vector<std::uint64_t>& numbers);
  // All ranks get the error of the first rank that has one.
  std::optional<base::Error> first_error(const std::optional<base::Error>& error);

 private:
  Transport& transport_;
  std::deque<Message> kept_;
  Traffic traffic_;
};

}  // namespace zermelo::cluster
