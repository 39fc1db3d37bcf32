// The layered symbolic solver: every layer of states found forwards, then solved backwards.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "dd/options.h"
#include "machine/machine.h"
#include "solve/forecast.h"
#include "solve/opponent_model.h"
#include "solve/solution_folder.h"

namespace zermelo::solve {

// After a layer was found or solved.
struct LayeredProgress {
  bool backward = false;
  std::size_t layer = 0;
  std::size_t layers = 0;        // known so far
  std::string states;            // of the layer
  std::size_t nodes = 0;         // of its diagram
  std::optional<Forecast> left;  // for the rest of this direction, once it can be told
};

struct LayeredOptions {
  OpponentModel model = OpponentModel::own;
  std::optional<bool> distances;  // nothing: up to distances_up_to states
  base::Limits limits;
  unsigned threads = 1;
  std::optional<std::size_t>
      memory_bytes;  // beyond a part of it, diagrams in the making go to disk
  std::function<void(const LayeredProgress&)> progress;
};

// What the work on diagrams may use, the folder for what exceeds the memory.
dd::Options diagram_options(const SolutionFolder& folder, const LayeredOptions& options);

enum class LayeredEnd {
  solved,
  states_repeat,  // so that there is no last layer
};

// Writes the whole folder, or what is missing of it. Fails with not_applicable for games in which
// several roles have a choice in one state, or whose rules become too large as diagrams, and for
// folders of something else; and with the limit that is reached, after which the same call goes on.
// Of a game that it does not solve, nothing is left in the folder.
base::Result<LayeredEnd> solve_layered(std::shared_ptr<const machine::Machine> machine,
                                       const SolutionFolder& folder, const LayeredOptions& options);

}  // namespace zermelo::solve
