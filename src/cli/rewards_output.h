// Rewards and distances as text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "solve/common/opponent_model.h"

namespace zermelo::cli {

// "x wins: x 100, o 0", or that the game does not end.
std::string verdict(const std::vector<std::string>& roles, const solve::Rewards& rewards);
// By role, dashes where play never ends.
std::vector<std::string> cells(const std::vector<std::string>& roles,
                               const solve::Rewards& rewards);
std::string cell(const std::optional<std::uint32_t>& distance);

}  // namespace zermelo::cli
