// Leaves of the search tree judged by an evaluator, alone or together with random games.
#pragma once

#include <memory>

#include "eval/evaluator.h"
#include "search/simulator.h"

namespace zermelo::search {

// The reward of a state is the evaluator's with this weight, and that of a random game otherwise.
// With a weight of 1 no games are played; `playouts` may be null then.
std::unique_ptr<Playouts> evaluated_playouts(std::shared_ptr<const eval::Evaluator> evaluator,
                                             float weight, std::unique_ptr<Playouts> playouts,
                                             std::size_t roles);

}  // namespace zermelo::search
