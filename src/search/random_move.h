// Random joint moves, for playing random games step by step.
#pragma once

#include "search/simulator.h"

namespace zermelo::search {

// Chooses a random legal move for each role in the walker's state. Returns false if a role has
// none.
bool choose_at_random(Walker& walker, base::Random& random, std::span<Move> joint);

}  // namespace zermelo::search
