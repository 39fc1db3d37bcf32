// Reading .toss files. docs/reference/toss.md describes the three dialects, which are all read
// without being told which it is, and the choices made where the known descriptions are silent.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "toss/game.h"

namespace zermelo::toss {

struct ParseResult {
  Game game;  // usable only without errors among the diagnostics
  std::vector<base::Diagnostic> diagnostics;
};

// Reads a game and checks it: names, arities, free variables, fixed points, the graph of locations.
// Reports every part of the file that has a syntax error, at most 100 problems in all.
ParseResult parse(const base::Source& source);

// Whether the text looks like a .toss file rather than one of another language: it begins, after
// comments, with one of the words that begin the parts of a game.
bool looks_like_toss(const base::Source& source);

}  // namespace zermelo::toss
