// The layered symbolic solver: finds all layers of states forwards, then solves them backwards.
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

// Writes the whole folder, or what is missing of it. Continues from layers that `count` stored in
// it. Fails with not_applicable for games in which several roles have a choice in one state or
// whose rules become too large as diagrams, for folders of something else, and for stored layers
// that lack states; and with the limit that is reached, after which the same call resumes. If it
// does not solve the game, nothing but layers of `count` is left in the folder.
base::Result<LayeredEnd> solve_layered(std::shared_ptr<const machine::Machine> machine,
                                       const SolutionFolder& folder,
                                       const SymbolicOptions& options);

}  // namespace zermelo::solve
