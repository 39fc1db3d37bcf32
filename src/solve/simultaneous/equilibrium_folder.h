// Writes an equilibrium solution to a folder.
#pragma once

#include "base/limits.h"
#include "base/result.h"
#include "solve/folder/solution_folder.h"
#include "solve/simultaneous/equilibrium_solver.h"

namespace zermelo::solve {

// Writes the whole folder, unless it is already finished.
base::Result<void> store(const EquilibriumSolution& solution, const SolutionFolder& folder,
                         const base::Limits& limits);

}  // namespace zermelo::solve
