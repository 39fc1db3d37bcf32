// From the parts of a file to a game: names become numbers, and what cannot be meant is reported.
#pragma once

#include "base/diagnostic.h"
#include "toss/game.h"
#include "toss/syntax.h"

namespace zermelo::toss {

struct Resolved {
  Game game;  // usable only without errors
  std::vector<base::Diagnostic> diagnostics;
};

Resolved resolve(const syntax::Game& game);

}  // namespace zermelo::toss
