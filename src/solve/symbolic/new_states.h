// Counts the states of each layer that are in no earlier layer.
#pragma once

#include <vector>

#include "base/result.h"
#include "dd/options.h"
#include "solve/folder/solution_folder.h"
#include "symbolic/clock.h"

namespace zermelo::solve {

// Sets `new_states` of every layer that shares states with an earlier one. Requires that the folder
// has the diagrams of states and values of all layers. Fails at a limit.
base::Result<void> count_new_states(const SolutionFolder& folder, const Description& description,
                                    const symbolic::Clock& clock, const dd::Options& options,
                                    std::vector<StoredLayer>& layers);

}  // namespace zermelo::solve
