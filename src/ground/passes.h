// The normalisation passes. Each leaves a program with the same meaning that is easier to ground;
// its file says how. ground.cc lists them in the order in which they run.
#pragma once

#include "ground/instantiate.h"
#include "ground/program.h"

namespace zermelo::ground {

// Clauses to rules: disjunctions become several rules, negations move to the atoms.
base::Result<Program> split_disjunctions(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                         const base::Limits& limits);

using Pass = base::Result<void>(Program& program, Instantiation& instantiation);

// not distinct(s, t) becomes a substitution; conditions that always or never hold are decided.
Pass eliminate_equalities;
// Arguments that are known functions become columns: true(cell(X, Y)) to a predicate of two
// columns.
Pass split_functions;
// Predicates that depend on neither state nor moves are evaluated, and nothing defines them any
// more.
Pass evaluate_statics;
// Variables the head does not need are joined away into auxiliary predicates where that pays.
Pass project_variables;
// Large predicates are only made for the arguments they are asked for.
Pass add_demand;

// What eliminate_equalities does to one rule; false when the rule can never hold.
bool simplify(Rule& rule);

}  // namespace zermelo::ground
