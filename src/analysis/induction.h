// Proof by induction that claims about the fluents hold in every reachable state.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/machine.h"

namespace zermelo::analysis {

// How many of some fluents hold in a state.
struct Claim {
  enum class Kind : std::uint8_t { at_most_one, at_least_one };

  Kind kind = Kind::at_most_one;
  std::vector<ground::Atom> fluents;
};

struct InductionOptions {
  std::size_t known = 0;       // so many of the first claims are proved already, as one set
  bool past_terminal = false;  // states after a terminal one count as reachable
  std::chrono::duration<double> seconds{5};
  int max_conflicts = 5'000;  // of the solver for one claim; beyond, the claim is given up
};

struct Induction {
  std::vector<bool> proved;  // by claim
  bool finished = false;     // false: out of time, and claims may be missing
};

// The claims of a largest set that holds at the start and, assumed together before a step, after
// it. When time runs out, those whose proofs need only one another.
Induction prove_by_induction(std::shared_ptr<const machine::Machine> machine,
                             const std::vector<Claim>& claims,
                             const InductionOptions& options = {});

}  // namespace zermelo::analysis
