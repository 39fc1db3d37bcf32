// How the arguments of fluents change from one state to the next, read from the rules.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "analysis/lifted_rules.h"

namespace zermelo::analysis {

// A fluent may hold after a move because one of the same name held before it, with another value of
// an argument, and a static relation of two arguments holds between the old and the new value.
struct ArgumentStep {
  gdl::Term fluent;      // after the move, with variables
  std::size_t position;  // of the argument
  gdl::Term relation;    // relation(old, new) if `forward`, otherwise relation(new, old)
  bool forward;
};

// The steps of fluents with these signatures. Looks at the clauses of `next`, into the clauses of
// `legal` for the moves they mention, and into other predicates, up to some number of combinations
// of clauses; so rare steps of games with many rules may be missing.
std::vector<ArgumentStep> find_argument_steps(LiftedRules& rules,
                                              const std::set<std::uint64_t>& signatures,
                                              const base::Limits& limits = {});

}  // namespace zermelo::analysis
