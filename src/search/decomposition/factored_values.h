// Exact values of the states of a game that consists of subgames, for perfect play from the first
// move.
#pragma once

#include <memory>
#include <string>

#include "base/limits.h"
#include "eval/state_values.h"
#include "machine/machine.h"

namespace zermelo::search::decomposition {

struct FactoredValues {
  std::shared_ptr<const eval::StateValues> values;  // null: none
  std::string description;                          // how they are found
};

// Values from the parts of the game: by Grundy numbers, by combinatorial game values, or by solving
// it up to equivalence of its parts, whichever applies first. No values if none does, if there are
// too many states, and at a limit. Players maximise their own reward.
FactoredValues find_factored_values(const std::shared_ptr<const machine::Machine>& machine,
                                    const base::Limits& limits = {});

}  // namespace zermelo::search::decomposition
