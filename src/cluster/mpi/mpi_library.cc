// Messages over MPI: the only file that includes its header.
//
// A message is one MPI message whose tag is its kind. Sends are non-blocking; their buffers are
// kept until MPI has taken them over. MPI keeps the order of messages between two ranks when the
// receiver matches them with one pattern, here any source and any tag.

#include <mpi.h>

#include <exception>
#include <list>
#include <memory>
#include <utility>

#include "cluster/transport.h"

namespace zermelo::cluster {
namespace {

class MpiTransport : public Transport {
 public:
  MpiTransport() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    int number = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    rank_ = static_cast<std::size_t>(number);
    MPI_Comm_size(MPI_COMM_WORLD, &number);
    size_ = static_cast<std::size_t>(number);
  }
  // The others wait for a rank that ends by an exception, so that must end the job.
  ~MpiTransport() override {
    if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, out_of_memory);
    while (!sent_.empty()) collect();
    MPI_Finalize();
  }
  MpiTransport(const MpiTransport&) = delete;
  MpiTransport& operator=(const MpiTransport&) = delete;

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return size_; }

  void send(std::size_t to, std::uint32_t kind, Bytes bytes) override {
    Sent& sent = sent_.emplace_back(Sent{std::move(bytes), {}});
    unsent_ += sent.bytes.size();
    MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE,
              static_cast<int>(to), static_cast<int>(kind), MPI_COMM_WORLD, &sent.request);
    collect();
  }

  std::optional<Message> receive() override {
    int arrived = 0;
    MPI_Message handle;
    MPI_Status status;
    MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &arrived, &handle, &status);
    if (arrived == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    Message message{static_cast<std::size_t>(status.MPI_SOURCE),
                    static_cast<std::uint32_t>(status.MPI_TAG),
                    Bytes(static_cast<std::size_t>(count))};
    MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    return message;
  }

  std::size_t unsent_bytes() override {
    collect();
    return unsent_;
  }

 private:
  static constexpr int out_of_memory = 5;  // the exit code

  struct Sent {
    Bytes bytes;
    MPI_Request request;
  };

  // Releases the buffers that MPI has taken over.
  void collect() {
    std::erase_if(sent_, [this](Sent& sent) {
      int done = 0;
      MPI_Test(&sent.request, &done, MPI_STATUS_IGNORE);
      if (done != 0) unsent_ -= sent.bytes.size();
      return done != 0;
    });
  }

  std::size_t rank_ = 0, size_ = 1;
  std::list<Sent> sent_;
  std::size_t unsent_ = 0;
};

}  // namespace
}  // namespace zermelo::cluster

extern "C" zermelo::cluster::Transport* zermelo_join_mpi() {
  return std::make_unique<zermelo::cluster::MpiTransport>().release();
}
