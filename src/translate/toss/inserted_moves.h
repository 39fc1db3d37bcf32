// The `next` clauses for given moves: conditions on moves are decided or become equations.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "translate/toss/gdl_clauses.h"

namespace zermelo::translate::toss {

// The `next` clauses with predicates that depend on moves replaced by their definitions. Throws
// NotTranslatable where one is negated or recursive.
std::vector<GdlClause> next_clauses_with_moves(const GdlClauses& rules);

// The clauses that remain of one when the roles make these moves, whose variables are `fixed`. The
// heads are state terms. `number` counts renamings.
std::vector<GdlClause> with_moves(const GdlClause& clause, const std::vector<GdlTerm>& moves,
                                  const GdlClauses& rules, const std::set<std::string>& fixed,
                                  std::size_t& number);

}  // namespace zermelo::translate::toss
