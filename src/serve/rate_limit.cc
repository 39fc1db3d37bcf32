#include "serve/rate_limit.h"

#include <algorithm>

namespace zermelo::serve {

bool RateLimit::admits(const std::string& client, Clock::time_point now) {
  if (rate_ <= 0) return true;
  if (buckets_.size() > max_clients) buckets_.clear();
  Bucket& bucket = buckets_.try_emplace(client, Bucket{burst(), now}).first->second;
  const double passed = std::chrono::duration<double>(now - bucket.time).count();
  bucket = {std::min(burst(), bucket.tokens + passed * rate_), now};
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

}  // namespace zermelo::serve
