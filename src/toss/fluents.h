// Which relations, functions and elements moves may change. A relation is called stable if no rule
// that is a possible move changes it, and a fluent otherwise; this is read off the rules.
#pragma once

#include "toss/query.h"

namespace zermelo::toss {

StablePart find_stable_part(const Game& game);

// The names of what moves change: relations, those defined by way of them, and functions.
struct FluentNames {
  Names relations, functions;

  // Whether a formula depends on what moves change.
  bool in(const Formula& formula) const;
};
FluentNames find_fluents(const Game& game);

// The rules that some player has as a move in some location, ascending.
std::vector<std::size_t> rules_in_use(const Game& game);

// Whether a rule that is a possible move takes a tuple of a relation away.
bool removes_tuples(const Game& game);

}  // namespace zermelo::toss
