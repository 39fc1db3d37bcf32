// How many moves best play takes to the end of the game.
//
// Among the best moves a role takes one that ends the game soon if it hurries, and one that delays
// the end if it does not.
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

// By state; no_distance where play never ends, or can be delayed for ever. Fails with a limit that
// is reached.
base::Result<std::vector<Distance>> distances(const GameGraph& graph, const GraphValues& values,
                                              const base::Limits& limits = {});

}  // namespace zermelo::solve
