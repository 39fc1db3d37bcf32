// States drawn as boards.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace zermelo::play {

// A drawing of the cells among the fluents, "(cell 3 1 white)": three arguments, no two cells at
// one place, first the column, then the row, at least two of each. Nothing where there are none.
std::optional<std::string> draw_board(const std::vector<std::string>& fluents);
// The fluents that the drawing does not show.
std::vector<std::string> beside_board(const std::vector<std::string>& fluents);

}  // namespace zermelo::play
