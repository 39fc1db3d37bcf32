// The layered symbolic solver: every layer of states found forwards, then solved backwards.
#pragma once

#include <memory>

#include "base/result.h"
#include "machine/machine.h"
#include "solve/folder/solution_folder.h"
#include "solve/symbolic/symbolic_options.h"

namespace zermelo::solve {

enum class LayeredEnd {
  solved,
  states_repeat,  // so that there is no last layer
};

// Writes the whole folder, or what is missing of it. Fails with not_applicable for games in which
// several roles have a choice in one state, or whose rules become too large as diagrams, and for
// folders of something else; and with the limit that is reached, after which the same call resumes.
// It continues from layers that `count` stored in the folder. If these lack states, it fails with
// not_applicable. Of a game that it does not solve, nothing but those layers is left in the folder.
base::Result<LayeredEnd> solve_layered(std::shared_ptr<const machine::Machine> machine,
                                       const SolutionFolder& folder,
                                       const SymbolicOptions& options);

}  // namespace zermelo::solve
