// The number of threads of a request.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>

namespace zermelo::app {

// The requested number of threads, or the number of cores.
inline unsigned threads_or_all_cores(const std::optional<std::uint64_t>& threads) {
  if (threads) return static_cast<unsigned>(*threads);
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace zermelo::app
