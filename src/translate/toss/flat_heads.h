// Derived predicates without compound arguments in the heads of their clauses.
#pragma once

#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

// An argument (move ?x ?y) in a head becomes the arguments ?x ?y, and the predicate one of its own;
// a variable in its place, in the body of another clause, is replaced by each form that it can
// have. The state and moves keep their terms. A predicate whose argument is a variable in another
// head stays as it is, and so does the game if there are too many clauses.
GdlClauses with_flat_heads(const GdlClauses& rules);

}  // namespace zermelo::translate::toss
