// The best strategy of one player against chance, in exact arithmetic.
#pragma once

#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "solve/hidden/sequence_form.h"

namespace zermelo::solve {

struct OnePlayerSolution {
  Plan plan;          // of the form; it does not randomise. Of equal moves, takes the first
  std::string value;  // the expected reward as a fraction in lowest terms: "200/3"
};

// Requires the form of a game of one player. Fails at a limit.
base::Result<OnePlayerSolution> solve_one_player(const SequenceForm& form,
                                                 const base::Limits& limits);

}  // namespace zermelo::solve
