#include "app/cost.h"

#include "base/peak_memory.h"

namespace zermelo::app {

Cost cost_since(std::chrono::steady_clock::time_point begin) {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  return {elapsed.count(), base::peak_resident_bytes()};
}

}  // namespace zermelo::app
