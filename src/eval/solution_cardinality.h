// How true an expression is by the number of its solutions.
#pragma once

#include <vector>

#include "eval/fuzzy_logic.h"

namespace zermelo::eval {

enum class CardinalityScale : std::uint8_t {
  disjunction,  // the disjunction of all instances, as in the paper
  share,        // linear in the number of solutions
};

// By the number of solutions, from 0 to `instances`; ascending.
std::vector<float> degrees_by_cardinality(const FuzzyLogic& logic, CardinalityScale scale,
                                          std::size_t instances);

}  // namespace zermelo::eval
