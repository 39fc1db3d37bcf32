// Proof from the rules, pair by pair, that at most one of some fluents holds.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/step_formula.h"

namespace zermelo::analysis {

// Returns, by group, whether at most one of its fluents provably holds in every reachable state.
// The first `known` groups are already proved. The result depends on the game alone, unless a limit
// is reached, after which nothing more is proved.
std::vector<bool> prove_by_rules(const StepRules& rules,
                                 const std::vector<std::vector<ground::Atom>>& groups,
                                 std::size_t known = 0, const ProofLimits& limits = {});

}  // namespace zermelo::analysis
