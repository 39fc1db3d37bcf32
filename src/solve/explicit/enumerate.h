// Explicit enumeration: counts the reachable states breadth first, layer by layer.
//
// The twin of symbolic counting, and faster if there are few states or they have little in common.
// If several roles move at the same time, all joint moves are followed.
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
  std::optional<std::uint64_t> terminal;  // nullopt: not all states of the layer were examined
  double seconds = 0;                     // to find the layer
};

struct EnumerateOptions {
  // For packing states; see MutexOptions::past_terminal.
  std::vector<analysis::MutexGroup> groups = {};
  base::Limits limits = {};
  unsigned threads = 1;
  // Whether moves are also made in terminal states, as far as the rules permit it.
  bool continue_past_terminal = false;
  // Whether states of earlier layers are left out. If not, a layer has all states after the same
  // number of moves, only two layers are kept, and a game with cycles has no last layer.
  bool duplicate_detection = true;
  // Stop if there are more states.
  std::uint64_t max_states = ~std::uint64_t{0};
  // Called for every complete layer, in the thread of the caller.
  std::function<void(const LayerCount&)> on_layer = nullptr;
};

struct Enumeration {
  std::vector<LayerCount> layers;          // the complete ones
  std::optional<base::ErrorKind> stopped;  // the limit that was reached; there may be more layers
  bool too_many = false;                   // there are more than `max_states`
  std::size_t bits_per_state = 0;

  std::uint64_t states() const;
};

Enumeration enumerate(std::shared_ptr<const machine::Machine> machine,
                      const EnumerateOptions& options);

}  // namespace zermelo::solve
