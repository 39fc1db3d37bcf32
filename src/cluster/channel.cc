#include "cluster/channel.h"

#include <sched.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "cluster/bytes.h"

namespace zermelo::cluster {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t max_unsent = std::size_t{32} << 20;

// Between two looks for a message: first yields the processor to ranks on the same machine, later
// sleeps.
class Patience {
 public:
  void rest() {
    if (++looks_ < 200) {
      ::sched_yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }

 private:
  unsigned looks_ = 0;
};

}  // namespace

void Channel::send(std::size_t to, Kind kind, Bytes bytes) {
  ++traffic_.messages;
  traffic_.bytes += bytes.size();
  transport_.send(to, static_cast<std::uint32_t>(kind), std::move(bytes));
  for (Patience patience; transport_.unsent_bytes() > max_unsent;) {
    if (auto message = transport_.receive()) {
      kept_.push_back(std::move(*message));
    } else {
      patience.rest();
    }
  }
}

std::optional<Message> Channel::next(Kinds kinds) {
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const Message& message) { return kinds.contains(message); });
  if (found != kept_.end()) {
    Message message = std::move(*found);
    kept_.erase(found);
    return message;
  }
  while (auto message = transport_.receive()) {
    if (kinds.contains(*message)) return message;
    kept_.push_back(std::move(*message));
  }
  return std::nullopt;
}

Message Channel::wait(Kinds kinds) { return *wait_until(Clock::time_point::max(), kinds); }

std::optional<Message> Channel::wait_until(Clock::time_point end, Kinds kinds) {
  auto message = next(kinds);
  if (message) return message;
  const auto begin = Clock::now();
  for (Patience patience; !message && Clock::now() < end; message = next(kinds)) patience.rest();
  traffic_.idle_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  return message;
}

// A rank may already be in the next operation when others are in this one. Messages of one rank
// keep their order, so only the first one of every rank is taken.
std::vector<Bytes> Channel::gather(Bytes bytes) {
  if (rank() != 0) {
    send(0, Kind::gathered, std::move(bytes));
    return {};
  }
  std::vector<Bytes> all(size());
  std::vector<bool> has(size());
  all[0] = std::move(bytes);
  std::vector<Message> early;
  for (std::size_t missing = size() - 1; missing > 0;) {
    Message message = wait(Kind::gathered);
    if (has[message.from]) {
      early.push_back(std::move(message));
      continue;
    }
    has[message.from] = true;
    all[message.from] = std::move(message.bytes);
    --missing;
  }
  kept_.insert(kept_.begin(), std::make_move_iterator(early.begin()),
               std::make_move_iterator(early.end()));
  return all;
}

Bytes Channel::broadcast(Bytes bytes) {
  if (rank() != 0) return wait(Kind::broadcast).bytes;
  for (std::size_t to = 1; to < size(); ++to) send(to, Kind::broadcast, bytes);
  return bytes;
}

std::vector<std::uint64_t> Channel::sum(const std::vector<std::uint64_t>& numbers) {
  ByteWriter own;
  own.put_list(numbers);
  std::vector<std::uint64_t> total(numbers.size());
  for (const Bytes& bytes : gather(own.take())) {
    const auto part = ByteReader(bytes).get_list<std::uint64_t>();
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
  }
  ByteWriter result;
  result.put_list(total);
  return ByteReader(broadcast(result.take())).get_list<std::uint64_t>();
}

std::optional<base::Error> Channel::first_error(const std::optional<base::Error>& error) {
  ByteWriter own;
  own.put(error.has_value());
  if (error) {
    own.put(error->kind);
    own.put_text(error->message);
  }
  Bytes first = own.take();
  for (Bytes& bytes : gather(first)) {
    if (!ByteReader(first).get<bool>()) first = std::move(bytes);
  }
  const Bytes agreed = broadcast(std::move(first));
  ByteReader reader(agreed);
  if (!reader.get<bool>()) return std::nullopt;
  const auto kind = reader.get<base::ErrorKind>();
  return base::Error{kind, reader.get_text()};
}

}  // namespace zermelo::cluster
