#include "solve/symbolic/symbolic_options.h"

namespace zermelo::solve {

dd::Options diagram_options(const SolutionFolder& folder, const SymbolicOptions& options) {
  dd::Options diagrams;
  diagrams.limits = options.limits;
  diagrams.threads = options.threads;
  if (!options.memory_bytes) return diagrams;
  return dd::with_scratch(diagrams, *options.memory_bytes / 4, folder.path());
}

}  // namespace zermelo::solve
