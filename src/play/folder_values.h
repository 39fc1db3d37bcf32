// The values of a solution folder for states of a game that was grounded elsewhere.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "eval/state_values.h"

namespace zermelo::play {

// Fails with unreadable_input for a folder that is none, with not_applicable where its rules are
// not those of the machine, clause by clause, or there is no machine. A state that is not in the
// folder, and one from which play never ends, has no value.
base::Result<std::shared_ptr<const eval::StateValues>> open_folder_values(
    const std::filesystem::path& folder, std::shared_ptr<const machine::Machine> machine);

}  // namespace zermelo::play
