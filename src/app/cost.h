// What a request took.
#pragma once

#include <chrono>
#include <cstdint>

namespace zermelo::app {

struct Cost {
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  // of the process
};

// The cost of what was done since `begin`.
Cost cost_since(std::chrono::steady_clock::time_point begin);

}  // namespace zermelo::app
