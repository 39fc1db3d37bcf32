// Writes an explicit solution to a folder.
#pragma once

#include "base/limits.h"
#include "base/result.h"
#include "solve/explicit/explicit_solver.h"
#include "solve/folder/solution_folder.h"

namespace zermelo::solve {

struct StoreOptions {
  bool distances = true;
  base::Limits limits;
};

// Writes the whole folder, unless it is already finished.
base::Result<void> store(const ExplicitSolution& solution, const SolutionFolder& folder,
                         const StoreOptions& options);

}  // namespace zermelo::solve
