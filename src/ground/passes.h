// The normalisation passes, in the order in which ground.cc runs them. Each leaves a program with
// the same meaning that is easier to ground; its file says how.
#pragma once

#include "ground/instantiate.h"
#include "ground/program.h"

namespace zermelo::ground {

// Clauses to rules: disjunctions become several rules, negations move to the atoms.
base::Result<Program> split_disjunctions(std::shared_ptr<const gdl::Rulesheet> rulesheet,
                                         const base::Limits& limits);
// not distinct(s, t) becomes a substitution; conditions that always or never hold are decided.
void eliminate_equalities(Program& program);
// The same for one rule; false when it can never hold.
bool simplify(Rule& rule);
// Arguments that are known functions become columns: true(cell(X, Y)) to a predicate of two
// columns.
base::Result<void> split_functions(Program& program, const base::Limits& limits);
// Predicates that depend on neither state nor moves are evaluated, and nothing defines them any
// more.
base::Result<void> evaluate_statics(Program& program, Instantiation& instantiation);
// Variables the head does not need are joined away into auxiliary predicates where that pays.
void project_variables(Program& program, const Instantiation& instantiation);
// Large predicates are only made for the arguments they are asked for.
void add_demand(Program& program, const Instantiation& instantiation);

}  // namespace zermelo::ground
