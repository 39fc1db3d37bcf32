// Random games, 256 at a time, on a SlicedMachine.
//
// All lanes step together. A lane whose game is over waits for the next first phase and starts
// anew, as long as more games are wanted; games that were started are always finished, so that
// short games are not preferred. One seed gives the same games with either executor.
#pragma once

#include "lanes/sliced_games.h"
#include "machine/playouts.h"

namespace zermelo::lanes {

// Plays random games from the initial state. max_depth, from 1 to 500,000, is kept to within a
// factor of two.
machine::PlayoutResult play_sliced(const SlicedCode& code, const machine::PlayoutOptions& options);
// The same with several threads, each with games and a seed of its own; the result does not depend
// on how they run, but on their number.
machine::PlayoutResult play_sliced(const SlicedCode& code, const machine::PlayoutOptions& options,
                                   unsigned threads);

}  // namespace zermelo::lanes
