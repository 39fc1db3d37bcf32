// What the rest of a long computation by layers will take, from what was measured so far.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace zermelo::solve {

// What a layer took that is done. The size may be in any unit that is known of all layers.
struct LayerCost {
  double size = 0;
  double seconds = 0;
  double disk_bytes = 0;
  double peak_bytes = 0;  // of memory, of the whole process, up to then
};

struct Forecast {
  std::size_t layers = 0;  // that remain
  double seconds = 0;
  double disk_bytes = 0;  // that will be added
  double peak_bytes = 0;  // of memory
};

// The sizes of layers to come; nothing where their growth does not slow down yet, or hardly.
std::optional<std::vector<double>> next_sizes(const std::vector<double>& sizes);

// What layers of these sizes will take, in this order. Requires some that are done, in order.
Forecast forecast(const std::vector<LayerCost>& done, const std::vector<double>& sizes);

}  // namespace zermelo::solve
