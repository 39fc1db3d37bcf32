// Random games, 256 at a time, on a SlicedMachine.
//
// All lanes step together. A lane whose game is over waits for the next first phase and then starts
// another game if more are requested. Started games are always finished, so that short games are
// not preferred. A seed gives the same games with all executors.
#pragma once

#include "lanes/sliced_games.h"
#include "machine/playouts.h"

namespace zermelo::lanes {

// Plays random games from the initial state. max_depth, from 1 to 500,000, is respected within a
// factor of two.
machine::PlayoutResult play_sliced(const SlicedCode& code, const machine::PlayoutOptions& options);
// The same with several threads, each with its own games and seed. The result depends on the number
// of threads, but not on their scheduling.
machine::PlayoutResult play_sliced(const SlicedCode& code, const machine::PlayoutOptions& options,
                                   unsigned threads);

}  // namespace zermelo::lanes
