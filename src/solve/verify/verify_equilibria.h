// Checks a solution folder with equilibria against the rules.
#pragma once

#include "base/result.h"
#include "solve/folder/solution_folder.h"
#include "solve/verify/verify.h"

namespace zermelo::solve {

// What `verify` does for a finished folder whose description has a solution concept.
base::Result<Verification> verify_equilibria(const SolutionFolder& folder,
                                             const VerifyOptions& options);

}  // namespace zermelo::solve
