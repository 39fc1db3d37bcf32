// The equilibrium of two players as a linear program: exact, for small games.
#pragma once

#include <optional>

#include "base/limits.h"
#include "solve/hidden/best_response.h"
#include "solve/hidden/sequence_form.h"
#include "solve/simultaneous/linear_program.h"

namespace zermelo::solve {

// The bounds are those of best responses to the solution, so they hold even if the solver is
// inaccurate. Returns nullopt if it fails or a limit is reached. One thread at a time may call
// this.
std::optional<PlanPair> solve_sequence_program(const SequenceForm& form,
                                               LinearProgram::Arithmetic arithmetic,
                                               const base::Limits& limits);

}  // namespace zermelo::solve
