// Writes an explicit solution to a folder.
#pragma once

#include <functional>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "solve/explicit/distance.h"
#include "solve/explicit/explicit_solver.h"
#include "solve/explicit/layer_writer.h"
#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

// What is stored of a state.
struct StoredState {
  Outcome terminal = unknown_outcome;  // the outcome of a terminal state
  Mover mover = nobody;
  Outcome value = unknown_outcome;
  Distance distance = no_distance;
};

// The description of an explicit solution. `has_endless`: play never ends in some state.
struct ExplicitDescription {
  const machine::Machine& machine;
  OpponentModel model = OpponentModel::own;
  bool distances = true;
  std::vector<Rewards> outcomes;
  bool has_endless = false;
  Variables variables;
};
Description description_of(ExplicitDescription explicit_solution);

// Writes one layer of a folder that was begun with the description. `stored` is called with the
// states of the range.
base::Result<StoredLayer> write_explicit_layer(
    const SolutionFolder& folder, const Description& description, std::size_t layer,
    const StateRange& range, const ground::Game& game,
    const std::function<StoredState(StateIndex)>& stored);

struct StoreOptions {
  bool distances = true;
  base::Limits limits;
};

// Writes the whole folder, unless it is already finished.
base::Result<void> store(const ExplicitSolution& solution, const SolutionFolder& folder,
                         const StoreOptions& options);

}  // namespace zermelo::solve
