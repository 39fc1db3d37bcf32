// The symbolic solver without layers: solves a game with a set algorithm and stores the solution.
#pragma once

#include <memory>

#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/algorithm.h"
#include "solve/folder/solution_folder.h"
#include "solve/symbolic/symbolic_options.h"

namespace zermelo::solve {

// Writes the folder after all states are solved, with every state in the layer of the minimum
// number of moves to it. Keeps all finished diagrams in memory. Distances are refused. Requires a
// set algorithm. Fails like the algorithm, see set_algorithms.h, and like solve_layered.
base::Result<void> solve_by_sets(std::shared_ptr<const machine::Machine> machine,
                                 const SolutionFolder& folder, Algorithm algorithm,
                                 const SymbolicOptions& options);

}  // namespace zermelo::solve
