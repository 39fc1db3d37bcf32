// The normalisation passes, one per file. Each produces an equivalent program that is easier to
// ground. ground.cc lists them in the order in which they run.
#pragma once

#include "ground/instantiate.h"
#include "ground/program.h"

namespace zermelo::ground {

// Turns clauses into rules: one rule per disjunct, negations only of atoms.
base::Result<Program> split_disjunctions(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                         const base::Limits& limits);

using Pass = base::Result<void>(Program& program, Instantiation& instantiation);

// Turns not distinct(s, t) into a substitution. Removes conditions that always or never hold.
Pass eliminate_equalities;
// Splits arguments that are functions into columns: true(cell(X, Y)) becomes a predicate with two.
Pass split_functions;
// Evaluates predicates that depend on neither state nor moves, and removes their rules.
Pass evaluate_statics;
// Finds which results of functions can occur in the game, so that grounding ends. Fails with
// not_applicable if they are too many.
Pass bound_numbers;
// Eliminates variables that the head does not need with auxiliary predicates, if this saves work.
Pass project_variables;
// Restricts large predicates to the arguments that rules ask for (magic sets).
Pass add_demand;

// Applies eliminate_equalities to one rule. Returns false if the rule can never hold.
bool simplify(Rule& rule);

}  // namespace zermelo::ground
