// Players that search on all ranks of a job: UCT, root parallel or tree parallel.
#pragma once

#include <memory>

#include "base/result.h"
#include "cluster/team.h"
#include "play/agent.h"

namespace zermelo::cluster {

// root: every rank has a tree of its own; the samples of the root's moves are exchanged while they
// search. tree: rank 0 has the tree, and all ranks run its playouts. With one rank, tree is exactly
// the search of one process.
enum class SearchMode { root, tree };

// The specification is of UCT. Requires that the team is prepared for the game of the seat and
// outlives the agent. Fails with not_applicable for enhancements that the mode does not support,
// and for games that were not grounded.
base::Result<std::unique_ptr<play::Agent>> make_cluster_agent(Team& team, SearchMode mode,
                                                              play::AgentSpec spec,
                                                              play::Seat seat);

}  // namespace zermelo::cluster
