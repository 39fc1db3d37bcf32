// Values from a solution folder for the states of a game that was grounded elsewhere.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "eval/state_values.h"

namespace zermelo::play {

// Fails with unreadable_input if the folder is not a solution, and with not_applicable if its rules
// differ from the machine's in any clause, or if there is no machine. A state that is not in the
// folder, or from which play never ends, has no value. A damaged file is a read_error() of the
// values.
base::Result<std::shared_ptr<const eval::StateValues>> open_folder_values(
    const std::filesystem::path& folder, std::shared_ptr<const machine::Machine> machine);

// Fails with unreadable_input if the folder has no rules, and with not_applicable if they differ
// from the machine's in any clause, or if there is no machine (null).
base::Result<void> require_rules_of(const std::filesystem::path& folder,
                                    const machine::Machine* machine);

}  // namespace zermelo::play
