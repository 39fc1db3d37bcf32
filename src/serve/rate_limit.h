// A limit on the requests per second of every client: a token bucket each.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>

namespace zermelo::serve {

class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  // Requests per second and client; 0: no limit. A client may send two seconds' worth of requests,
  // and 20 more, at once.
  explicit RateLimit(double rate) : rate_(rate) {}

  // Whether the client may send a request now. If so, the request counts.
  bool admits(const std::string& client, Clock::time_point now);

 private:
  struct Bucket {
    double tokens;
    Clock::time_point time;
  };
  static constexpr std::size_t max_clients = 10'000;

  double burst() const { return rate_ * 2 + 20; }

  double rate_;
  std::map<std::string, Bucket> buckets_;
};

}  // namespace zermelo::serve
