// Drawing of states as boards.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace zermelo::play {

// Draws the cells among the fluents, such as "(cell 3 1 white)": column, row and content. Columns
// and rows are those of all `possible` fluents of the game, so that empty ones are drawn too.
// Returns nullopt unless there are at least two columns and two rows and no two cells share
// coordinates.
std::optional<std::string> draw_board(const std::vector<std::string>& fluents,
                                      const std::vector<std::string>& possible);
// Returns the fluents that the drawing does not show.
std::vector<std::string> beside_board(const std::vector<std::string>& fluents,
                                      const std::vector<std::string>& possible);

}  // namespace zermelo::play
