// How `info` shows what analysis found out about a game.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "analysis/dynamic_conditions.h"

namespace zermelo::cli {

// The dynamic conditions that GDL demands of a game: {has_moves, ends, unique_goals}.
nlohmann::ordered_json conditions_as_json(const analysis::DynamicConditions& found);

// Adds what kind of game it is to `traits`.
void add_traits(const analysis::DynamicConditions& found, nlohmann::ordered_json& traits);

// Both as lines of a name and a value.
std::vector<std::pair<std::string, std::string>> condition_lines(
    const analysis::DynamicConditions& found);

}  // namespace zermelo::cli
