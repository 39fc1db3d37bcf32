// Proof by induction that claims about the fluents hold in every reachable state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/proof_limits.h"
#include "machine/machine.h"

namespace zermelo::analysis {

struct StepRules;

// A claim about how many of some fluents hold in a state.
struct Claim {
  enum class Kind : std::uint8_t { at_most_one, at_least_one };

  Kind kind = Kind::at_most_one;
  std::vector<ground::Atom> fluents;
};

struct InductionOptions {
  std::size_t known = 0;       // the first `known` claims are already proved, as one set
  bool past_terminal = false;  // states after a terminal one count as reachable
  ProofLimits limits = {};
  int max_conflicts = 5'000;  // of the solver per claim; beyond, the claim is dropped
};

struct Induction {
  std::vector<bool> proved;                // by claim
  std::optional<base::ErrorKind> stopped;  // the limit that was reached; claims may be missing
};

// Returns a largest set of claims that holds in the initial state and is preserved by every step if
// assumed before it. At a limit, returns the claims whose proofs need only one another. The rules
// must be those of the machine's game.
Induction prove_by_induction(std::shared_ptr<const machine::Machine> machine,
                             const StepRules& rules, const std::vector<Claim>& claims,
                             const InductionOptions& options = {});

}  // namespace zermelo::analysis
