// The number of moves to the end of the game with best play. Among its best moves, a role that
// hurries takes one that ends the game soonest; any other role takes one that ends it latest.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "solve/explicit/game_graph.h"
#include "solve/explicit/retrograde.h"

namespace zermelo::solve {

using eval::Distance;
using eval::hurries;
using eval::no_distance;

// By state; no_distance if play never ends or can be delayed forever. Fails with the limit that is
// reached.
base::Result<std::vector<Distance>> distances(const GameGraph& graph, const GraphValues& values,
                                              const base::Limits& limits = {});

}  // namespace zermelo::solve
