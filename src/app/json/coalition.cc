#include "app/coalition.h"

#include "app/json.h"
#include "app/json/values.h"

namespace zermelo::app {

std::string to_json(const CoalitionResult& result) {
  Json coalitions = Json::array();
  for (solve::Coalition c = 1; c <= result.values.everybody(); ++c) {
    coalitions.push_back({{"roles", result.members(c)},
                          {"value", result.values.value(c)},
                          {"low", result.values.low[c]},
                          {"high", result.values.high[c]}});
  }
  const bool is_empty = result.core.core_is_empty();
  Json violation;
  if (result.violation) {
    violation = {result.members(result.violation->first), result.members(result.violation->second)};
  }
  return one_line({{"roles", result.roles},
                   {"games", result.games ? Json(*result.games) : Json(nullptr)},
                   {"coalitions", coalitions},
                   {"shapley", result.shapley},
                   {"core",
                    {{"empty", is_empty},
                     {"point", is_empty ? Json(nullptr) : Json(result.core.shares)},
                     {"excess", result.core.excess}}},
                   {"superadditive", !result.violation.has_value()},
                   {"violation", violation},
                   {"seconds", result.cost.seconds},
                   {"peak_bytes", result.cost.peak_bytes}});
}

}  // namespace zermelo::app
