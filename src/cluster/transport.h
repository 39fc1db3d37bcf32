// How the ranks of a job exchange messages. A job has `size` ranks, numbered from 0, each a process
// (or, in tests, a thread) that runs the same function.
//
// Two implementations: MPI (mpi_transport.h) and threads of one process (local_transport.h).
// Collective operations are in channel.h.
//
// This header stays free of code from .cc files: the MPI implementation is a library of its own,
// loaded only when it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace zermelo::cluster {

using Bytes = std::vector<std::uint8_t>;

struct Message {
  std::size_t from = 0;
  std::uint32_t kind = 0;  // below 2^15; its meaning is defined by the sender and the receiver
  Bytes bytes;
};

// Must be used by one thread only.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual std::size_t rank() const = 0;
  virtual std::size_t size() const = 0;
  // Sends a message without waiting for the receiver, which must be another rank. Messages from one
  // rank to another arrive in the order in which they were sent.
  virtual void send(std::size_t to, std::uint32_t kind, Bytes bytes) = 0;
  // Returns the next message that has arrived; nullopt if there is none.
  virtual std::optional<Message> receive() = 0;
  // Returns how many of the bytes sent still occupy memory of the sender.
  virtual std::size_t unsent_bytes() = 0;
};

}  // namespace zermelo::cluster
