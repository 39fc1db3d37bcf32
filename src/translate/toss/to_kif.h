// Structure rewriting games as rules in GDL, so that every command that takes a game takes a .toss
// file.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "base/source.h"
#include "toss/game.h"

namespace zermelo::translate::toss {

struct KifGame {
  std::string rules;  // in prefix syntax
  // What the names in fluents stand for: (relation element ...); (location. n) is the location.
  std::map<std::string, std::size_t> relations;
  std::map<std::string, zermelo::toss::Element> elements;
};

// Returns the game as GDL in prefix syntax. The source is that of the game, for places in messages.
// Moves and states correspond one to one to those of toss::StructureMachine, which is the twin of
// this translation. Payoffs that are no whole numbers from 0 to 100 are scaled to that range.
// Fails with not_applicable for what GDL cannot express: rules that create elements, functions,
// sums and comparisons of terms, and fixed points through negations or universal quantifiers.
base::Result<KifGame> to_kif(const zermelo::toss::Game& game, const base::Source& source);

}  // namespace zermelo::translate::toss
