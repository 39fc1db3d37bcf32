// A subgame as a game of its own.
#pragma once

#include <string>

#include "analysis/subgames.h"
#include "base/result.h"

namespace zermelo::analysis {

// Returns the rules of a subgame that has moves, in prefix syntax: its fluents and moves, the
// action-independent fluents, and the moves of no subgame. The game ends where the whole game ends
// whatever the other subgames do, and where a role has no legal move. The reward is the share of
// the local goal concepts that hold, or of the terminal concepts if there are none. Fails with
// not_applicable if the rules of the subgame cannot be separated from those of the others.
base::Result<std::string> subgame_rules(const ground::Game& game, const Decomposition& found,
                                        std::size_t subgame);

}  // namespace zermelo::analysis
