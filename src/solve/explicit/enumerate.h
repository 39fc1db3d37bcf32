// Plain enumeration: how many states are reachable, breadth first, layer by layer.
//
// The twin of symbolic counting, and the faster way to count where states are few or have little in
// common. Where several roles move at the same time, all joint moves are followed.
//
//   Enumeration found = enumerate(machine, {.groups = find_mutex_groups(machine).groups});
//   found.states();
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "machine/machine.h"

namespace zermelo::solve {

struct LayerCount {
  std::uint64_t states = 0;
  std::optional<std::uint64_t> terminal;  // nothing: not all states of the layer were looked at
  double seconds = 0;                     // to find the layer
};

struct EnumerateOptions {
  // For packing states; see MutexOptions::past_terminal.
  std::vector<analysis::MutexGroup> groups = {};
  base::Limits limits = {};
  unsigned threads = 1;
  // Moves are made in terminal states too, as the rules have it.
  bool continue_past_terminal = false;
  // Leave out states of earlier layers. Without it, a layer is all that so many moves lead to,
  // only two layers are kept, and a game in which states occur again has no last layer.
  bool duplicate_detection = true;
  // Stop when there are more.
  std::uint64_t max_states = ~std::uint64_t{0};
  // Told of every layer when it is complete, in the thread of the caller.
  std::function<void(const LayerCount&)> on_layer = nullptr;
};

struct Enumeration {
  std::vector<LayerCount> layers;          // those that are complete
  std::optional<base::ErrorKind> stopped;  // the limit that was reached; there may be more layers
  bool too_many = false;                   // there are more than `max_states`
  std::size_t bits_per_state = 0;

  std::uint64_t states() const;
};

Enumeration enumerate(std::shared_ptr<const machine::Machine> machine,
                      const EnumerateOptions& options);

}  // namespace zermelo::solve
