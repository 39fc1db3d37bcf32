// A proof that a game ends after a bounded number of joint moves, whatever the moves are.
#pragma once

#include <cstddef>
#include <optional>

#include "base/limits.h"
#include "ground/game.h"

namespace zermelo::analysis {

// Returns the smallest number found such that every state reached after that many joint moves is
// terminal, if no earlier state was; nullopt if there is no such proof within the limits.
std::optional<std::size_t> prove_step_bound(const ground::Game& game, std::size_t max_steps,
                                            const base::Limits& limits);

}  // namespace zermelo::analysis
