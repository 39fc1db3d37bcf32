// What the explicit solvers have in common when they write a solution folder: the variables, and
// the states of each layer as sorted assignments.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"
#include "solve/explicit/state_table.h"
#include "solve/explicit/table_diagram.h"
#include "solve/folder/solution_folder.h"
#include "solve/folder/state_code.h"

namespace zermelo::solve {

// Chooses the variables by the states. Fails at a limit.
base::Result<Variables> variables_of_states(const StateTable& states, const ground::Game& game,
                                            const base::Limits& limits);

struct SortedLayer {
  AssignmentTable table;
  std::vector<StateIndex> order;  // the state of each assignment of the table
};

// A range of states. Requires that the code represents all of them.
struct StateRange {
  const StateTable& states;
  StateIndex first = 0, end = 0;
};
SortedLayer sorted_layer(const StateCode& code, const StateRange& range, const ground::Game& game);

// Calls write_layer for each layer, then finishes the folder with their descriptions. Fails at a
// limit and as write_layer does.
base::Result<void> write_layers(
    const SolutionFolder& folder, Manifest manifest, std::size_t layers, const base::Limits& limits,
    const std::function<base::Result<StoredLayer>(std::size_t layer)>& write_layer);

}  // namespace zermelo::solve
