// Rewards and distances as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solve/common/opponent_model.h"

namespace zermelo::cli {

// "x wins: x 100, o 0", or that the game never ends.
std::string verdict(const std::vector<std::string>& roles, const solve::Rewards& rewards);
// One cell per role; dashes if play never ends.
std::vector<std::string> cells(const std::vector<std::string>& roles,
                               const solve::Rewards& rewards);
std::string cell(const std::optional<std::uint32_t>& distance);

// The mark of a move in a table: "best", "keeps" where it keeps the value but is not best, or
// nothing.
std::string mark(bool keeps_value, bool best);

// The line of moves on numbered steps: "1. (mark 1 1) 2. (mark 2 2)".
std::string numbered(const std::vector<std::string>& line);

}  // namespace zermelo::cli
