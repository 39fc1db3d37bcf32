// Proof from the rules, pair by pair, that at most one of some fluents holds.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/expanded_rules.h"

namespace zermelo::analysis {

// Returns, by group, whether at most one of its fluents provably holds in every reachable state.
// The first `known` groups are already proved. The result depends on the game alone, unless a limit
// is reached, after which nothing more is proved. The rules are kept for further proofs.
std::vector<bool> prove_by_rules(ExpandedRules& rules,
                                 const std::vector<std::vector<ground::Atom>>& groups,
                                 std::size_t known = 0, const ProofLimits& limits = {});

}  // namespace zermelo::analysis
