// The scene of a game as players step it.
#pragma once

#include "analysis/scene.h"
#include "base/limits.h"
#include "search/simulator.h"

namespace zermelo::play {

// Recognises what the game depicts. If the game was not grounded, walks through a few random games;
// `rules` then help to find the order and the neighbourhood of places, and may be null.
analysis::Scene scene_of(const search::Simulator& simulator, const gdl::Rulesheet* rules,
                         const base::Limits& limits = {});

}  // namespace zermelo::play
