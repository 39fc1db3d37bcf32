// A game in GDL as a Toss game by the construction with terms: for games that the construction of
// the paper does not reach. `docs/reference/toss.md` describes it.
#pragma once

#include <string>
#include <vector>

#include "analysis/mutex_groups.h"
#include "base/limits.h"
#include "ground/game.h"
#include "translate/toss/gdl_clauses.h"
#include "translate/toss/rule_builder.h"
#include "translate/toss/static_facts.h"

namespace zermelo::translate::toss {

struct TermTranslation {
  std::string text;                     // of a .toss file
  std::vector<BuiltRule> rules;         // in its order; without moves and carriers
  std::vector<std::string> moves;       // by element; empty if it is not a move
  std::vector<std::size_t> element_of;  // by fluent
  // Players choose at the same time, and the structure is that of the step before, with the moves
  // made last. Otherwise the first elements of a match are the moves of all roles.
  bool simultaneous = false;
};

// Throws NotTranslatable and base::LimitReached.
TermTranslation translate_with_terms(const GdlClauses& clauses, const ground::Game& game,
                                     const StaticFacts& facts, const analysis::MutexGroups& groups,
                                     const base::Limits& limits);

}  // namespace zermelo::translate::toss
