// Rewards and distances as text and as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
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

// null where play never ends.
nlohmann::ordered_json rewards_json(const solve::Rewards& rewards);
nlohmann::ordered_json distance_json(const std::optional<std::uint32_t>& distance);

}  // namespace zermelo::cli
