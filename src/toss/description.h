// Existential descriptions of stable relations (procedure ExistentialDescription of the first
// paper): an existential formula that is equivalent in a structure, for relations whose definition
// is not existential, such as the last row of a board.
#pragma once

#include <optional>

#include "toss/game.h"

namespace zermelo::toss {

struct DescriptionOptions {
  std::size_t max_literals = 12;    // of one conjunction
  std::size_t max_extensions = 32;  // how often a conjunction is extended
};

// A disjunction of existential formulas over the stored relations named, with the same free
// variables as the formula and true of the same elements of the starting structure; nothing if none
// is found. Requires a formula with free variables that uses no fluents.
std::optional<FormulaPtr> existential_description(const Game& game, const Formula& formula,
                                                  const Names& relations,
                                                  const DescriptionOptions& options = {});

}  // namespace zermelo::toss
