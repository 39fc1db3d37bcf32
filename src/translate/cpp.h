// Translates a game into one self-contained C++ file.
#pragma once

#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "ground/game.h"

namespace zermelo::translate {

// Returns the text of a C++17 program: the rules as bitwise code over words that hold many games,
// an engine for single states, and a main function with the commands perft, playouts and play. With
// the same seed, the random games are the same as those of machine::playouts. Fails at a limit.
base::Result<std::string> to_cpp(const ground::Game& game, const base::Limits& limits = {});

}  // namespace zermelo::translate
