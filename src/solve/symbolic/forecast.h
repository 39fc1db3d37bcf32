// Forecasts the cost of the remaining layers of a long computation from the cost so far.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace zermelo::solve {

// The cost of a finished layer. The size may be in any unit, the same for all layers.
struct LayerCost {
  double size = 0;
  double seconds = 0;
  double disk_bytes = 0;
  double peak_bytes = 0;  // peak memory of the process so far
};

struct Forecast {
  std::size_t layers = 0;  // remaining
  double seconds = 0;
  double disk_bytes = 0;  // to be added
  double peak_bytes = 0;  // peak memory
};

// The sizes of the next layers; nullopt if the growth does not slow down enough yet.
std::optional<std::vector<double>> next_sizes(const std::vector<double>& sizes);

// The cost of the next layers, whose sizes are given in order. Requires some finished layers, also
// in order.
Forecast forecast(const std::vector<LayerCost>& done, const std::vector<double>& sizes);

}  // namespace zermelo::solve
