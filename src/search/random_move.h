// Random moves of all roles, for random games step by step.
#pragma once

#include "search/simulator.h"

namespace zermelo::search {

// Sets one legal move of each role of the state that the walker is at; false where a role has none.
bool choose_at_random(Walker& walker, base::Random& random, std::span<Move> joint);

}  // namespace zermelo::search
