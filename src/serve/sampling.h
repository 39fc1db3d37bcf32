// Choosing a move by random games on any engine, for games that could not be grounded.
#pragma once

#include <chrono>
#include <stop_token>

#include "base/random.h"
#include "search/engine.h"

namespace zermelo::serve {

// Plays random games after each legal move of the role in turn, until the deadline, and returns the
// move with the best average. Looks at the clock before every step, and keeps twice as much
// distance from the deadline as the slowest step took; without time for one the move is any. The
// state must not be terminal, and every role has a move.
search::Move sample_move(const search::Engine& engine, const search::State& state, std::size_t role,
                         std::chrono::steady_clock::time_point deadline,
                         const std::stop_token& stop, base::Random& random);

}  // namespace zermelo::serve
