// Which relations, functions and elements moves may change. A relation is called stable if no rule
// that is a possible move changes it, and a fluent otherwise; this is read off the rules.
#pragma once

#include "toss/query.h"

namespace zermelo::toss {

StablePart find_stable_part(const Game& game);

// Whether a rule that is a possible move takes a tuple of a relation away.
bool removes_tuples(const Game& game);

}  // namespace zermelo::toss
