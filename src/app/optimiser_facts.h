// What the optimiser of ground programs achieves on a game.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "circuit/compiled_game.h"
#include "circuit/pass_sizes.h"

namespace zermelo::app {

struct OptimiserFacts {
  std::vector<circuit::PassSize> passes;
  std::size_t always_true = 0, always_false = 0;  // fluents that never change
  std::size_t stay_true = 0, stay_false = 0;      // fluents that change at most once
  std::size_t lasting_gates = 0;
  std::size_t phases = 0;
  std::size_t operations_per_step = 0;  // for all lanes, on average over the phases
};

// Returns nothing for games so large that the optimiser would take minutes, and at a limit.
std::optional<OptimiserFacts> optimiser_facts(
    const std::shared_ptr<const circuit::CompiledGame>& compiled, const base::Limits& limits);

}  // namespace zermelo::app
