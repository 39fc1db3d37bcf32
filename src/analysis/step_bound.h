// A proof that a game ends: after so many joint moves, whatever they are.
#pragma once

#include <cstddef>
#include <optional>

#include "base/limits.h"
#include "ground/game.h"

namespace zermelo::analysis {

// The least number found such that every state reached after so many joint moves is terminal, if no
// earlier one was. Nothing when there is no such proof within the limits.
std::optional<std::size_t> prove_step_bound(const ground::Game& game, std::size_t max_steps,
                                            const base::Limits& limits);

}  // namespace zermelo::analysis
