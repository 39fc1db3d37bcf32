#include "cluster/local_transport.h"

#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace zermelo::cluster {
namespace {

struct Inbox {
  std::mutex mutex;
  std::deque<Message> messages;
};

class LocalTransport : public Transport {
 public:
  LocalTransport(std::size_t rank, std::shared_ptr<std::vector<Inbox>> inboxes)
      : rank_(rank), inboxes_(std::move(inboxes)) {}

  std::size_t rank() const override { return rank_; }
  std::size_t size() const override { return inboxes_->size(); }

  void send(std::size_t to, std::uint32_t kind, Bytes bytes) override {
    Inbox& inbox = (*inboxes_)[to];
    const std::lock_guard lock(inbox.mutex);
    inbox.messages.push_back({rank_, kind, std::move(bytes)});
  }

  std::optional<Message> receive() override {
    Inbox& inbox = (*inboxes_)[rank_];
    const std::lock_guard lock(inbox.mutex);
    if (inbox.messages.empty()) return std::nullopt;
    Message message = std::move(inbox.messages.front());
    inbox.messages.pop_front();
    return message;
  }

  std::size_t unsent_bytes() override { return 0; }

 private:
  std::size_t rank_;
  std::shared_ptr<std::vector<Inbox>> inboxes_;  // by rank
};

}  // namespace

std::vector<std::unique_ptr<Transport>> local_transports(std::size_t ranks) {
  const auto inboxes = std::make_shared<std::vector<Inbox>>(ranks);
  std::vector<std::unique_ptr<Transport>> transports;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    transports.push_back(std::make_unique<LocalTransport>(rank, inboxes));
  }
  return transports;
}

void run_local_ranks(std::size_t ranks, const std::function<void(Transport&)>& work) {
  const auto transports = local_transports(ranks);
  std::vector<std::jthread> threads;
  for (const auto& transport : transports) {
    threads.emplace_back([&work, &transport] { work(*transport); });
  }
}

}  // namespace zermelo::cluster
