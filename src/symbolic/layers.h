// Reachability: the states of a game by the number of steps to them, as one diagram per layer.
#pragma once

#include <gmpxx.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "base/result.h"
#include "dd/diagram.h"
#include "dd/options.h"
#include "symbolic/model.h"

namespace zermelo::symbolic {

// Constants of a layer's diagram, beside 0 for assignments that are not in it.
inline constexpr dd::NodeId not_terminal = 1, terminal = 2, layer_constants = 3;

struct LayerStatistics {
  std::size_t layer = 0;
  mpz_class states = 0;
  mpz_class terminal_states = 0;
  std::size_t nodes = 0;
  std::optional<std::size_t> set_nodes;  // past terminal states: of the set of all its states
  std::size_t bytes = 0;                 // of its diagram
  double seconds = 0;
};

struct LayersOptions {
  // States already in an earlier layer are left out. Otherwise a state is in every layer from whose
  // predecessors it follows, and games in which states repeat do not end.
  bool only_new = true;
  bool continue_past_terminal = false;
  std::size_t most_layers = ~std::size_t{0};
  bool keep = true;                   // the diagrams, in the result
  std::filesystem::path folder = {};  // if not empty, where layers are stored and taken up again
  dd::Options diagrams = {};          // limits among them
  // Sees each layer, and ends the search with an error.
  std::function<base::Result<void>(const dd::Diagram&)> visit = {};
  std::function<void(const LayerStatistics&)> progress = {};  // after each layer
};

struct Layers {
  std::vector<dd::Diagram> diagrams;  // by layer, if they are kept and there is no folder
  std::vector<LayerStatistics> statistics;
  bool complete = false;  // no further layer has states
  // Otherwise: the limit reached, or why the folder or the visitor took no more; layers so far are
  // whole.
  std::optional<base::Error> stopped;

  mpz_class states() const;
  mpz_class terminal_states() const;
  std::size_t peak_nodes() const;
};

// Limits of time and memory are an ordinary outcome, in `stopped`, and so is a disk that gets full:
// what was counted is in the result. An error is a folder that cannot be used.
base::Result<Layers> find_layers(const Model& model, const LayersOptions& options = {});

}  // namespace zermelo::symbolic
