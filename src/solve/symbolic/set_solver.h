// The symbolic solver without layers: a stored solution by one of the set algorithms.
#pragma once

#include <memory>

#include "base/result.h"
#include "machine/machine.h"
#include "solve/common/algorithm.h"
#include "solve/folder/solution_folder.h"
#include "solve/symbolic/symbolic_options.h"

namespace zermelo::solve {

// Writes the folder when all is solved, with every state in the layer of the fewest moves to it.
// All diagrams are kept in memory but those in the making, and there are no distances: the option
// is refused. Requires a set algorithm. Fails like the algorithm, see set_algorithms.h, and like
// solve_layered.
base::Result<void> solve_by_sets(std::shared_ptr<const machine::Machine> machine,
                                 const SolutionFolder& folder, Algorithm algorithm,
                                 const SymbolicOptions& options);

}  // namespace zermelo::solve
