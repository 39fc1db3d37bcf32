// The options and the progress reports of the symbolic solvers.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/limits.h"
#include "dd/options.h"
#include "solve/common/opponent_model.h"
#include "solve/folder/solution_folder.h"
#include "solve/symbolic/forecast.h"

namespace zermelo::solve {

// Reported after a layer was found or solved.
struct SymbolicProgress {
  bool backward = false;
  std::size_t layer = 0;
  std::size_t layers = 0;        // known so far
  std::string states;            // of the layer
  std::size_t nodes = 0;         // of its diagram
  std::optional<Forecast> left;  // for the rest of this direction, once there is a forecast
};

struct SymbolicOptions {
  OpponentModel model = OpponentModel::own;
  std::optional<bool> distances;  // nullopt: up to distances_up_to states
  base::Limits limits;
  unsigned threads = 1;
  std::optional<std::size_t>
      memory_bytes;  // above a part of it, unfinished diagrams are stored on disk
  std::function<void(const SymbolicProgress&)> progress;
};

// The options for operations on diagrams. What exceeds the memory is stored in the folder.
dd::Options diagram_options(const SolutionFolder& folder, const SymbolicOptions& options);

}  // namespace zermelo::solve
