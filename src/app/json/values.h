// Parts of JSON that several results share.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/equilibrium_view.h"
#include "app/hidden_view.h"
#include "base/result.h"
#include "cluster/enumerate.h"
#include "solve/common/opponent_model.h"

namespace zermelo::app {

using Json = nlohmann::ordered_json;

// The text of an object on one line; bytes that are not UTF-8 are replaced.
std::string one_line(const Json& object);

// null without a value.
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Adds the field `error`, if there is one.
void add_error(Json& object, const std::optional<base::Error>& error);

// Adds the field `ranks`, if there are any.
void add_ranks(Json& object, const std::vector<cluster::RankReport>& ranks);

// By role, the middle of the bounds.
Json values_json(const std::vector<double>& low, const std::vector<double>& high);
// By role, {low, high}.
Json bounds_json(const std::vector<double>& low, const std::vector<double>& high);
// By role, its moves with their probabilities and values.
Json strategies_json(const EquilibriumView& view);

// Decisions of games with hidden information, with what led to them.
Json decisions_json(const std::vector<std::string>& players,
                    const std::vector<HiddenView::Decision>& decisions);

// null if play never ends.
Json rewards_json(const solve::Rewards& rewards);

}  // namespace zermelo::app
