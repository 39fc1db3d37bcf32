// Counting the reachable states of a game with either engine, and choosing between them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "machine/machine.h"

namespace zermelo::cli {

enum class CountEngine { automatic, symbolic, enumerating };

struct CountedLayer {
  std::string states;                   // a decimal number
  std::optional<std::string> terminal;  // nothing: the layer was not looked through
  std::optional<std::size_t> nodes;     // of its diagram, which tells terminal states from others
  // Of the diagram that does not; only where play goes on past terminal states.
  std::optional<std::size_t> set_nodes;
  double seconds = 0;
};

struct StateCount {
  std::string engine;  // "symbolic" or "explicit"
  std::string reason;  // why that one
  std::string states;  // the sum of the layers
  std::vector<CountedLayer> layers;
  std::optional<base::Error> stopped;  // the limit; layers so far are whole
  std::optional<std::size_t> peak_nodes;
  std::optional<std::string> order;  // of the variables
};

struct CountRequest {
  CountEngine engine = CountEngine::automatic;
  base::Limits limits;
  std::size_t memory_bytes = 0;
  std::chrono::duration<double> group_seconds{5};  // for proving mutex groups
  unsigned threads = 1;
  bool continue_past_terminal = false;
  bool duplicate_detection = true;
  std::string folder;                           // where layers are stored; empty: nowhere
  std::function<void(const std::string&)> say;  // what is going on
};

// Fails where the engine does not apply or the folder cannot be used.
base::Result<StateCount> count_states(std::shared_ptr<const machine::Machine> machine,
                                      const CountRequest& request);

}  // namespace zermelo::cli
