// How many moves best play takes to the end of the game.
//
// Among the best moves a role takes one that ends the game soon if it gets at least as much as
// every other role, and one that delays the end if it gets less: the winner hurries, the loser
// delays, and with even rewards everybody hurries.
#pragma once

#include <cstdint>
#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "solve/game_graph.h"
#include "solve/retrograde.h"

namespace zermelo::solve {

using Distance = std::uint32_t;
inline constexpr Distance no_distance = ~Distance{0};

// Whether the role wants a game with these rewards to end soon.
bool hurries(std::size_t role, const Rewards& rewards);

// By state; no_distance where play never ends, or can be delayed for ever. Fails with a limit that
// is reached.
base::Result<std::vector<Distance>> distances(const GameGraph& graph, const StateValues& values,
                                              const base::Limits& limits = {});

}  // namespace zermelo::solve
