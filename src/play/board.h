// Pictures as text for terminals.
#pragma once

#include <string>
#include <vector>

#include "analysis/picture.h"

namespace zermelo::play {

// The boards of the picture, one below the other, each with its labels; empty if it has none. A
// cell shows a letter for the first thing in it, and the letters are explained below.
std::string boards_as_text(const analysis::Picture& picture);

// The fluents that the text does not show, sorted.
std::vector<std::string> beside_boards(const analysis::Picture& picture);

}  // namespace zermelo::play
