// Play by a solution folder with equilibria: moves are drawn from the stored strategies.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "play/agent.h"

namespace zermelo::play {

// Returns an agent for a folder for which solve::EquilibriumReader::is_for holds. In a correlated
// equilibrium it draws from its own moves, since nobody draws for all roles together. Fails with
// unreadable_input if the folder cannot be read, and with not_applicable if its rules differ from
// those of the seat's game, or if that was not grounded.
base::Result<std::unique_ptr<Agent>> make_equilibrium_agent(const std::filesystem::path& folder,
                                                            const Seat& seat);

}  // namespace zermelo::play
