// A game as one C++ file that needs nothing but a compiler.
#pragma once

#include <string>

#include "ground/game.h"

namespace zermelo::translate {

// The text of a C++17 program: the rules as straight code over words of many games, an engine for
// single states, and a main that counts (perft), plays random games (playouts) and shows one
// (play). Random games are those of machine::playouts for the same seed.
std::string to_cpp(const ground::Game& game);

}  // namespace zermelo::translate
