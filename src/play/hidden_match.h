// Matches of games with hidden information: every player is given its own percepts only, and
// nobody plays `random`.
#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "machine/machine.h"
#include "play/match.h"

namespace zermelo::play {

// The roles that are played, all but `random`.
std::vector<std::size_t> played_roles(const machine::Machine& machine);

// Like run_match. There must be as many players as played roles. In game g, player p has the role
// number (p + g) modulo their number among the played roles. The result has only these roles, its
// records have all.
base::Result<MatchResult> run_hidden_match(const std::shared_ptr<const machine::Machine>& machine,
                                           const std::vector<AgentSpec>& players,
                                           const MatchOptions& options);

}  // namespace zermelo::play
